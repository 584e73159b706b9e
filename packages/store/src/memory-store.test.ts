import { createMemoryStore } from './memory-store.ts'
import { testStoreContract } from './store.contract.ts'

testStoreContract('memory', createMemoryStore)

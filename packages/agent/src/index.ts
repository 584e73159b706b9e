export { type DoomLoopWatch, doomLoopLimit } from './loop/doom-loop.ts'
export { toErrorFacts } from './loop/error-facts.ts'
export { defaultRetryLimits, type RetryLimits } from './loop/retry.ts'
export type { PermissionGate } from './loop/tool-calls.ts'
export { runTurn, type TurnDeps, type TurnInput, type TurnLimits } from './loop/turn.ts'
export type { PromptPart } from './loop/user-message.ts'
export {
  type FoundInstructions,
  findInstructions,
  type InstructionFile,
  type InstructionPlaces,
  type InstructionReader,
} from './prompt/instructions.ts'
export { buildSystemPrompt, type EnvironmentFacts, type SystemPromptInput } from './prompt/system-prompt.ts'
export {
  type ChooseOptions,
  type ChosenModel,
  chooseProvider,
  type ListedModel,
  listModels,
} from './provider/choose.ts'
export { findCloseNames } from './provider/close-names.ts'
export type {
  ModelCapabilities,
  ModelEvent,
  ModelFile,
  ModelMessage,
  ModelProvider,
  ModelReasoning,
  ModelRequest,
  ModelText,
  ModelToolCall,
  ModelToolResult,
} from './provider/contract.ts'
export { type ProviderConfig, providerSchema } from './provider/provider-schema.ts'
export { createScriptJsonSchema, parseScript, type Script, type ScriptStep } from './provider/scripted/script.ts'
export { createScriptedProvider, openScript } from './provider/scripted/scripted-provider.ts'
export { type ReferenceContext, type Resolved, resolveReferences } from './provider/secret-reference.ts'
export { providerKeyNames } from './provider/well-known.ts'
export { createSessionRecorder, type LiveEvent, type SessionRecorder, type TurnListener } from './run/recorder.ts'

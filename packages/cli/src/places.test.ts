import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolvePlaces } from './places.ts'

test('without any variable the places are the XDG folders of the home', () => {
  assert.deepEqual(resolvePlaces({}, '/home/ann'), {
    configDirectory: '/home/ann/.config/deckhand',
    dataDirectory: '/home/ann/.local/share/deckhand',
    databaseFile: '/home/ann/.local/share/deckhand/deckhand.db',
    cacheDirectory: '/home/ann/.cache/deckhand',
    opencodeConfigDirectory: '/home/ann/.config/opencode',
  })
})

test('the XDG variables move each place, and a relative one is ignored', () => {
  const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'data', XDG_CACHE_HOME: '/k' }
  assert.deepEqual(resolvePlaces(env, '/home/ann'), {
    configDirectory: '/c/deckhand',
    dataDirectory: '/home/ann/.local/share/deckhand',
    databaseFile: '/home/ann/.local/share/deckhand/deckhand.db',
    cacheDirectory: '/k/deckhand',
    opencodeConfigDirectory: '/c/opencode',
  })
})

test('DECKHAND_HOME moves all of it, and then nothing of OpenCode is read', () => {
  assert.deepEqual(resolvePlaces({ DECKHAND_HOME: '/d', XDG_CONFIG_HOME: '/c' }, '/home/ann'), {
    configDirectory: '/d',
    dataDirectory: '/d/data',
    databaseFile: '/d/data/deckhand.db',
    cacheDirectory: '/d/cache',
  })
})

test('an empty variable counts as none', () => {
  assert.deepEqual(resolvePlaces({ DECKHAND_HOME: '', XDG_CONFIG_HOME: '' }, '/h'), resolvePlaces({}, '/h'))
})

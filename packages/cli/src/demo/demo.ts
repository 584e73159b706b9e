import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createScriptedProvider, parseScript } from '@deckhand/agent'
import { createId, type Session, type TurnOutcome, UsageError } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { loadConfig } from '../config/load-config.ts'
import { withStore } from '../open-store.ts'
import { defaultAgent } from '../run/agent-choice.ts'
import { listenForInterrupts } from '../run/interrupts.ts'
import { createReporter } from '../run/reporter.ts'
import { runPlannedTurn } from '../run/run-turn.ts'
import { exitCodes, resolveExitCode } from '../terminal/exit-codes.ts'
import { demoFiles, demoPrompt, demoSteps } from './demo-project.ts'

/** Unpacks a project with a failing test and lets a scripted model mend it, with the real loop, tools and session. */
export async function runDemo({ dir }: { dir?: string }, context: CliContext): Promise<number> {
  const directory = unpackProject(dir, context)
  context.stdout.write(`${introduction(directory)}\n\n> ${demoPrompt}\n`)
  const reporter = createReporter({ format: 'text', together: true }, context)
  const interrupts = listenForInterrupts(context.stdout, () => {
    reporter.interrupt()
    process.exit(exitCodes.interrupted)
  })
  try {
    return await withStore(context, async store => {
      const session = createSession(directory, context)
      const outcome = await runPlannedTurn(
        {
          session,
          saveSession: () => store.create(session),
          prompt: demoPrompt,
          files: [],
          notices: [],
          loaded: loadConfig({
            directory,
            env: { DECKHAND_HOME: join(directory, '.deckhand-demo') },
            home: context.home,
          }),
          model: await createDemoModel(directory, context),
          agent: { name: defaultAgent },
          mode: 'auto',
          canAsk: false,
          limits: { maxSteps: demoSteps.length },
        },
        { store, reporter, interrupts, context },
      )
      const isMended = await lastTestPassed(session, store)
      context.stdout.write(describeEnd(outcome, isMended, session, context))
      return outcome.reason === 'done' && !isMended ? exitCodes.failed : resolveExitCode(outcome)
    })
  } finally {
    interrupts.stop()
  }
}

function unpackProject(dir: string | undefined, { cwd }: CliContext): string {
  const directory = dir === undefined ? mkdtempSync(join(tmpdir(), 'deckhand-demo-')) : resolve(cwd, dir)
  if (dir !== undefined && existsSync(directory) && readdirSync(directory).length > 0) {
    throw new UsageError(`${directory} is not empty. The demo makes a project of its own: name a new folder.`)
  }
  for (const [name, text] of Object.entries(demoFiles)) {
    const file = join(directory, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return realpathSync(directory)
}

function introduction(directory: string): string {
  return [
    'This is a demo: the model is a script, which says the same each time. All else is real: the loop, the tools,',
    'the permissions (mode auto, in this throw-away folder), the test runs and the session.',
    `Project: ${directory}`,
  ].join('\n')
}

function createSession(directory: string, { clock }: CliContext): Session {
  const now = clock.now()
  return { id: createId('session', now), title: `Demo: ${demoPrompt}`, directory, time: { created: now, updated: now } }
}

async function createDemoModel(directory: string, { stdout, clock }: CliContext) {
  const script = await parseScript(JSON.stringify(demoSteps), 'demo')
  // A person can watch the words come; a pipe has no eyes.
  const provider = createScriptedProvider(script, 'demo', {
    workspace: directory,
    clock,
    pieceDelayMs: stdout.isTTY ? 15 : 0,
    modelID: 'demo',
  })
  return { provider, model: { providerID: 'script', modelID: 'demo' }, source: 'a script' }
}

type Store = Parameters<Parameters<typeof withStore>[1]>[0]

/** Not what the script says, but what the test runner said. */
async function lastTestPassed(session: Session, store: Store): Promise<boolean> {
  const parts = (await store.messages(session.id)).flatMap(message => message.parts)
  const shell = parts.findLast(part => part.type === 'tool' && part.tool === 'shell')
  return shell?.type === 'tool' && shell.state.status === 'completed' && shell.state.metadata.exit === 0
}

function describeEnd(outcome: TurnOutcome, isMended: boolean, session: Session, { env }: CliContext): string {
  const command = env.npm_command === 'exec' ? 'npx deckhand' : 'deckhand'
  const result = isMended
    ? 'The test was red and is green now.'
    : `The test is still red (${outcome.reason}): see the output above.`
  return `
${result}

What next:
  ${command} session show ${session.id}
      the turn again, with all that the model was told
  ${command} doctor
      what your machine has, and what is missing
  ${command} run "what does this project do?"
      the same with a real model, once you have one: a key in ANTHROPIC_API_KEY,
      OPENAI_API_KEY or GEMINI_API_KEY, or a local server such as Ollama
`
}

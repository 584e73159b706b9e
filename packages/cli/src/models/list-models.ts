import { type ListedModel, listModels } from '@deckhand/agent'
import { groupDigits } from '@deckhand/core'
import type { CliContext } from '../cli-context.ts'
import { loadFolderConfig } from '../permission/project-trust.ts'
import { resolveFolder } from '../run/request.ts'
import { oneLine } from '../terminal/neutralise.ts'

/** `deckhand models`. */
export async function listAvailableModels(
  { dir = '.', json }: { dir?: string; json?: boolean },
  context: CliContext,
): Promise<void> {
  const { env, home, cwd, fetch } = context
  const directory = resolveFolder(dir, cwd)
  const { config } = await loadFolderConfig(directory, context)
  const models = await listModels({ config, env, workspace: directory, home, fetch })
  context.stdout.write(json ? `${JSON.stringify(models, null, 2)}\n` : describeModels(models))
}

/** One line each; the one that is taken when nobody chooses is marked. A local server names its models itself. */
export function describeModels(models: readonly ListedModel[]): string {
  if (models.length === 0) {
    return 'No model is configured, no key is in the environment, and no model server runs on this machine.\nTo see Deckhand at work without one: deckhand demo\n'
  }
  const width = Math.max(...models.map(({ model }) => model.length))
  return models
    .map(({ model, source, contextTokens, isDefault, problem }) => {
      const facts = [
        source,
        ...(contextTokens ? [`${groupDigits(contextTokens)} tokens`] : []),
        ...(problem ? [`not usable: ${problem}`] : []),
      ]
      return `${isDefault ? '*' : ' '} ${oneLine(model).padEnd(width)}  ${oneLine(facts.join('; '))}\n`
    })
    .join('')
}

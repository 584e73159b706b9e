import type { CliContext } from '../cli-context.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { sendConsoleToStderr } from '../terminal/console-to-stderr.ts'
import type { LoadedPlugin } from './load-plugins.ts'

/** Loads the plugins of a folder, as `loadPlugins` does. What loads them is not even read where there are none. */
export async function openPlugins(
  directory: string,
  { plugins, root }: LoadedConfig,
  context: CliContext,
  signal?: AbortSignal,
): Promise<readonly LoadedPlugin[]> {
  if (plugins.length === 0) return []
  sendConsoleToStderr(context)
  const { loadPlugins } = await import('./load-plugins.ts')
  const { env, home, clock } = context
  return loadPlugins(plugins, { directory, root, env, home, clock, signal })
}

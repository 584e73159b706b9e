import type { Tool } from '@deckhand/core'
import { createEditTool } from './edit/tool.ts'
import { createGlobTool, type GlobLimits } from './glob/tool.ts'
import { createGrepTool, type GrepLimits } from './grep/tool.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { ReadLimits } from './read/limits.ts'
import { createReadTool } from './read/tool.ts'
import { createTodoTool } from './todo/tool.ts'
import type { Workspace } from './workspace/workspace.ts'
import { createWriteTool } from './write/tool.ts'

export interface FileToolsDeps {
  readonly workspace: Workspace
  /** What this session has read: read fills it, write and edit ask it. */
  readonly ledger: Ledger
  /** Another ripgrep than the one that came with us. */
  readonly rgPath?: string
  readonly limits?: {
    readonly read?: Partial<ReadLimits>
    readonly glob?: Partial<GlobLimits>
    readonly grep?: Partial<GrepLimits>
  }
}

/** Other names under which models call these tools, for ToolSet. */
export const fileToolAliases: Readonly<Record<string, string>> = {
  read_file: 'read',
  readfile: 'read',
  view: 'read',
  cat: 'read',
  read_many_files: 'read',
  list: 'read',
  ls: 'read',
  list_directory: 'read',
  write_file: 'write',
  writefile: 'write',
  create_file: 'write',
  edit_file: 'edit',
  multiedit: 'edit',
  str_replace: 'edit',
  str_replace_editor: 'edit',
  search_replace: 'edit',
  replace: 'edit',
  find: 'glob',
  find_files: 'glob',
  file_search: 'glob',
  search: 'grep',
  rg: 'grep',
  grep_search: 'grep',
  search_files: 'grep',
  todowrite: 'todo',
  todoread: 'todo',
  todo_write: 'todo',
  update_plan: 'todo',
}

/** The tools that work on files, for one session. */
export function createFileTools({ workspace, ledger, rgPath, limits = {} }: FileToolsDeps): readonly Tool[] {
  return [
    createReadTool({ workspace, ledger, limits: limits.read }),
    createWriteTool({ workspace, ledger }),
    createEditTool({ workspace, ledger }),
    createGlobTool({ workspace, rgPath, limits: limits.glob }),
    createGrepTool({ workspace, rgPath, limits: limits.grep }),
    createTodoTool(),
  ]
}

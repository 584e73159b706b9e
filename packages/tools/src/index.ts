export { type AnalysedCommand, analyseCommand, type CommandAnalysis } from './command/analysis.ts'
export { type AssessOptions, assessCommand } from './command/assess-command.ts'
export { systemFolders } from './command/folder-facts.ts'
export { type AskOwnParser, createOwnParser } from './command/powershell/own-parser.ts'
export { createFileTools, type FileToolsDeps, fileToolAliases } from './file-tools.ts'
export { createJobTool } from './job/tool.ts'
export { createMemoryLedger, type Ledger } from './ledger/ledger.ts'
export { type McpFolders, type McpServerOptions, type McpSession, serveMcp } from './mcp/server/serve-mcp.ts'
export { fenceText } from './output/fence.ts'
export type { Containment } from './shell/containment.ts'
export { createShells } from './shell/create-shells.ts'
export { findPrivatePath } from './shell/private-path.ts'
export type { ShellDeps } from './shell/shell-deps.ts'
export { createShellTool } from './shell/tool.ts'
export { createWorkspacePolicy } from './shell/workspace-policy.ts'
export {
  createWorkspace,
  isInside,
  type ResolvedPath,
  type Workspace,
  type WorkspaceOptions,
} from './workspace/workspace.ts'

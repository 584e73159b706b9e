export type { Leftover } from './command/call-processes.ts'
export { type ChildEnvironment, createChildEnvironment, modelKeyNames, noEditor } from './command/child-environment.ts'
export type { CommandOptions } from './command/command-call.ts'
export type { CommandEnd, CommandOutcome, Leftovers, StopSummary } from './command/command-outcome.ts'
export { type CommandRunner, createCommandRunner } from './command/command-runner.ts'
export type { EndedLeftovers } from './command/leftover-ledger.ts'
export { createRunResources, type RunResources } from './command/run-resources.ts'
export type { StopSignal } from './command/stop-processes.ts'
export type { KeptOutput } from './output/output-keeper.ts'
export { createOutputLog, type LogFacts, type OutputLog } from './output/output-log.ts'
export {
  defaultOutputLimits,
  type OutputFacts,
  type OutputLimits,
  type OutputSnapshot,
} from './output/output-recorder.ts'
export { findSandbox, type SandboxState } from './sandbox/find-sandbox.ts'
export { type Sandbox, SandboxError, type SandboxPolicy, sandboxVariable } from './sandbox/policy.ts'
export { describeRefusals, findRefusals, type SandboxRefusal } from './sandbox/refusals.ts'
export { quoteForShell } from './shell-state/declarations.ts'
export {
  createNamedShells,
  type NamedShell,
  type NamedShells,
  type PreparedCall,
  type StateChange,
} from './shell-state/named-shell.ts'
export type { ShellEnd } from './shell-state/shell-end.ts'
export { findShellKind, type Shell, type ShellKind } from './shell-state/shell-kind.ts'
export type { ShellState } from './shell-state/shell-state.ts'
export type { Job, JobFacts, StoppedJob } from './supervisor/job.ts'
export type { JobEnd, StopCause } from './supervisor/job-record.ts'
export {
  createJobSupervisor,
  defaultJobLimits,
  type JobLimits,
  type JobPlan,
  type JobSupervisor,
  type SessionJobs,
} from './supervisor/job-supervisor.ts'
export { isProcessAlive, readStartTicks } from './table/process-table.ts'

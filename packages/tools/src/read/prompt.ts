import { describeBytes } from '../workspace/describe-bytes.ts'

/** What the model is told of the tool, with the limits that hold. */
export function describeReadTool(limits: { maxLines: number; maxBytes: number; maxLineChars: number }): string {
  return `Reads a file as "N| text" lines, or lists a folder, or shows an image. Up to ${limits.maxLines} lines or ${describeBytes(limits.maxBytes).replace('.0', '')} a file; longer lines than ${limits.maxLineChars} characters are cut; the last line says how to go on. The numbers are not part of the file. Paths start at the workspace folder.`
}

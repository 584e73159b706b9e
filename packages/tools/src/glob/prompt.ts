/** What the model is told of the tool. */
export function describeGlobTool({ maxFiles }: { maxFiles: number }): string {
  return `Finds files by a pattern such as src/**/*.{ts,tsx}; without a slash it matches in every folder. Newest first, at most ${maxFiles}. Leaves out .git and what .gitignore names.`
}

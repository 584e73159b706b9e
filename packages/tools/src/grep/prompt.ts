/** What the model is told of the tool. */
export function describeGrepTool({ maxMatches }: { maxMatches: number }): string {
  return `Searches files for a regular expression (Rust or PCRE2 syntax). Shows up to ${maxMatches} matching lines, with numbers, by file; counts are of all. Leaves out .git, binary files and what .gitignore names.`
}

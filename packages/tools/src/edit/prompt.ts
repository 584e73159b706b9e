/** What the model is told of the tool. */
export const editPrompt =
  'Replaces exact text in a file that you have read. oldText must occur once, or set all. Line endings need not match; every byte outside the match stays as it is. With edits, each oldText is looked for in the file as it is now, and all are made or none.'

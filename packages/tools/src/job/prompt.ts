/** What the model is told of the tool. */
export const jobPrompt =
  'Follows and steers jobs: commands that shell started with background. list; output (all that is new after cursor, or lines of its end or start, or grep); wait until exit, a pattern, or new output; write text, keys or eof to its input (started with stdin or tty); view screen; resize; signal; stop; restart; start. Each answer has a cursor for the next.'

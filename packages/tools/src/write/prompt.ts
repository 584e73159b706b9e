/** What the model is told of the tool. */
export const writePrompt =
  'Creates a file, or overwrites one that you have read whole. Encoding, byte order mark and CRLF of an existing file are kept. To change a part, use edit.'

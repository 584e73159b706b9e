/**
 * Takes from foreign text what could move the cursor, set the title or pass for our own lines: escape sequences whole,
 * other control characters as visible pictures, bidirectional controls as their code points. Tabs and line ends stay.
 */
export function neutralise(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, character =>
      character === '\u007f' ? '␡' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    )
    .replace(
      /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g,
      character => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    )
}

/** Foreign text on one line. */
export function oneLine(text: string): string {
  return neutralise(text)
    .split(/[\n\u2028\u2029]/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join(' ⏎ ')
}

// ECMA-48: CSI sequences; OSC, DCS, SOS, PM and APC strings up to their terminator; other two-character escapes.
const escapeSequences =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|[ -/]*[0-~])/g

import { crudeSpellings } from '../crude-spellings.ts'
import { canonicalName } from './cmdlets.ts'

/** As for bash, and under the names that PowerShell itself has for its commands; for deny rules alone. */
export function crudePowershellSpellings(text: string): readonly string[] {
  const plain = text.replace(/`(?=\S)/g, '').replace(/[\u2018\u2019\u201a\u201b\u201c\u201d\u201e]/g, '"')
  return crudeSpellings(plain).flatMap(spelling => {
    const [name = '', ...rest] = spelling.split(' ')
    const known = canonicalName(name) ?? capitalize(name)
    return [spelling, [known, ...rest].join(' '), [name.toLowerCase(), ...rest].join(' ')]
  })
}

// Names of commands know no case; rules are written as people write them: Remove-Item.
function capitalize(name: string): string {
  return name.includes('-') ? name.toLowerCase().replace(/(^|-)[a-z]/g, letter => letter.toUpperCase()) : name
}

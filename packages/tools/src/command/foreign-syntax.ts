/**
 * What a text holds that its shell reads in another way than bash, by whose grammar it is judged; undefined when there
 * is nothing of that kind.
 */
export function findForeignSyntax(text: string, shell: string): string | undefined {
  if (shell === 'zsh') return foreignToBash(text, zshForms, 'zsh')
  if (shell === 'fish') return foreignToBash(text, fishForms, 'fish')
  return undefined
}

function foreignToBash(text: string, forms: readonly RegExp[], name: string): string | undefined {
  const found = forms.map(form => form.exec(text)?.[0]).find(piece => piece !== undefined)
  return found === undefined ? undefined : `${name} reads "${found.trim()}" in its own way`
}

const zshForms: readonly RegExp[] = [
  // Glob qualifiers can hold code, and flags of expansions can evaluate.
  /[*?\]\w/]\((?!\s*\))[^)]*\)?/,
  /\$\{\([^)]*\)/,
  // =cmd is the path of cmd, =(…) runs it, and ~name is a folder by name.
  /(^|\s)=[\w(]\w*/,
  /(^|[\s:=])~[\w+-]+/,
  // Short forms, other names for old words, global aliases.
  /(^|[\s;&|])(repeat|foreach|nocorrect|noglob|always|coproc|-|zmodload|autoload|emulate|vared|print|zcompile|sched|zle)(?=\s|$)/,
  /<\d*-\d*>/,
]

const fishForms: readonly RegExp[] = [
  // Brackets run commands; a backslash, a dollar and a brace mean other things than in bash.
  /[()]/,
  /[`\\{}[\]~^]/,
  /\$/,
  /<<|&>|>\?|[|&]>/,
  /(^|[\s;&|])(and|or|not|if|else|switch|case|while|for|begin|end|function|return|set|source|eval|exec|builtin|command|abbr|bind|time|!)(?=\s|$)/,
]

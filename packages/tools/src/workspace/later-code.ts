import { basename } from 'node:path'

const startUp =
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xprofile|xinitrc)$|^config\.fish$|profile\.ps1$/i

const places: readonly (readonly [RegExp, string])[] = [
  [/\/\.git\//i, "Git runs commands from its folder's hooks and settings"],
  [/\/(\.gitconfig|\.config\/git\/config)$/i, 'Git runs commands from its settings'],
  [
    /\/(deckhand|opencode)\.jsonc?$|\/\.(deckhand|opencode)\/|\/\.config\/(deckhand|opencode)\//i,
    'it decides what Deckhand itself may do and run',
  ],
  [/\/\.ssh\//i, 'it decides who may log in and what SSH runs'],
  [
    /\/\.config\/(fish|autostart|systemd)\/|\/LaunchAgents\/|^\/etc\/(profile|bash|zsh|cron|init|systemd|sudoers|ld\.so)|^\/var\/spool\/cron\//i,
    'programs start from it',
  ],
]

/** Why writing this absolute path would make code run later, unseen by anyone; undefined where it would not. */
export function findLaterCode(path: string): string | undefined {
  if (startUp.test(basename(path))) return 'shells run it when they start'
  return places.find(([pattern]) => pattern.test(path))?.[1]
}

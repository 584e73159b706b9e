// Every way by which one command is started by another, as a row each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateQuestion, parseRules } from '@deckhand/core'
import { assessCommand } from '../assess-command.ts'
import { createTestWorld } from '../test-world.ts'

const rules = parseRules({ shell: { '*': 'allow', 'rm *': 'deny' }, external_directory: 'allow' }, { source: 'user' })

async function decide(command: string): Promise<string> {
  const parts = await assessCommand(command, { ...createTestWorld(), cwd: '/work/proj', shell: 'bash' })
  return evaluateQuestion({ parts }, rules, 'ask').action
}

const found = [
  "eval 'rm x'",
  "sh -c 'rm x'",
  "bash -s <<< 'rm x'",
  'echo a | xargs rm',
  'find . -exec rm {} \\;',
  'parallel rm ::: a b',
  'watch rm x',
  "watch -n 1 'rm x'",
  'env rm x',
  'sudo -u root rm x',
  'timeout 5 rm x',
  'nohup rm x',
  'nice -n 5 rm x',
  'ionice -c 2 rm x',
  'chroot /mnt rm x',
  'unshare -r rm x',
  'setsid rm x',
  "script -c 'rm x' log",
  'ssh host rm x',
  "ssh host 'rm x'",
  'docker run img rm x',
  'docker exec c rm x',
  'docker compose exec web rm x',
  'npx rm x',
  'npx -y rimraf x; rm x',
  'bunx rm x',
  'uvx rm x',
  'pipx run rm x',
  "git rebase --exec 'rm x' main",
  'git bisect run rm x',
  "git submodule foreach 'rm x'",
  'time rm x',
  'stdbuf -o0 rm x',
  'flock f rm x',
  'entr rm x',
  'fd -x rm',
  "hyperfine 'rm x'",
  'strace rm x',
  'taskset 1 rm x',
  'chrt 1 rm x',
  'numactl -C 1 rm x',
  "su -c 'rm x'",
  'doas rm x',
  'pkexec rm x',
  'busybox rm x',
  'toybox rm x',
  'nsenter -t 1 rm x',
  'ip netns exec a rm x',
  'kubectl exec pod -- rm x',
  'podman run img rm x',
  'poetry run rm x',
  'uv run rm x',
  'pdm run rm x',
  'hatch run rm x',
  'bundle exec rm x',
  'dotenv rm x',
  'cross-env A=1 rm x',
  "concurrently 'rm x'",
  "nodemon --exec 'rm x'",
  'direnv exec . rm x',
  'asdf exec rm x',
  'mise x -- rm x',
  "nix-shell --run 'rm x'",
  "vagrant ssh -c 'rm x'",
  'systemd-run rm x',
  'caffeinate rm x',
  'exec rm x',
  'command rm x',
  "builtin eval 'rm x'",
  "trap 'rm x' EXIT",
  'coproc rm x',
  'firejail rm x',
  'proot rm x',
  'fakeroot rm x',
  'rlwrap rm x',
  'unbuffer rm x',
  'ltrace rm x',
  'perf stat rm x',
  'valgrind rm x',
  'xvfb-run rm x',
  'dbus-run-session rm x',
  'pnpm exec rm x',
  'yarn exec rm x',
  'npm exec -- rm x',
  'pnpm dlx rm x',
  'bun x rm x',
  'deno task x; rm x',
  'conda run rm x',
  'pipenv run rm x',
  'rye run rm x',
  'tox exec -- rm x',
  'docker compose -f a.yml exec web rm x',
  'tox exec -e py -- rm x',
  'perf stat -e cycles rm x',
  'conda run -n env rm x',
  'aws-vault exec me -- rm x',
  'valgrind --leak-check=full rm x',
]

for (const command of found) {
  test(`shell.safe_classification: what it starts is denied by its own name: ${command}`, async () => {
    assert.equal(await decide(command), 'deny')
  })
}

const unknown = [
  "at now <<< 'rm x'",
  "echo 'rm x' | bash -s",
  'gdb --args rm x',
  "git -c alias.z='!rm x' z",
  'runuser -u a -- rm x',
  "tmux new -d 'rm x'",
]

for (const command of unknown) {
  test(`shell.safe_classification: what it starts can not be told, so it is asked: ${command}`, async () => {
    assert.equal(await decide(command), 'ask')
  })
}

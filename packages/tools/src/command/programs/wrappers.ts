// Programs that start another one: sudo, env, timeout, xargs, ssh, docker and their like.
import { type Arg, literalArg, soleValue, unknownArg } from '../arg.ts'
import { ask, type Call, type Findings, optionValues, type Program } from './program.ts'
import { joinScript, wrapper } from './wrapper.ts'

const privileged = 'it runs with the rights of another user'

const containerOptions = {
  flag: '-d --detach -i --interactive -t --tty --rm --init --privileged --read-only -P --publish-all --no-healthcheck -q --quiet -T --no-TTY --no-deps --build --no-log-prefix --remove-orphans --service-ports --use-aliases --quiet-pull --oom-kill-disable --sig-proxy',
  text: '-e --env -u --user -w --workdir -p --publish --name --network --net -l --label --memory -m --cpus --cpuset-cpus --entrypoint --platform --pull --restart --hostname -h --add-host --dns --ulimit --gpus --shm-size --stop-signal --stop-timeout --tmpfs --expose --link --ip --log-driver --log-opt --runtime --pid --ipc --uts --userns --cgroupns --cap-add --cap-drop --security-opt --device --index --detach-keys -a --attach --health-cmd --ssh',
  read: '--env-file --cidfile --label-file',
  write: '-v --volume --mount',
}

const looksAt: Program = {
  operands: ['text'],
  readOnly: true,
  options: { text: '-f --filter --format -n --last --since --until --tail --type' },
}

const container: Program = {
  options: {
    text: '--context -c -H --host --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --env-file --project-directory',
  },
  subcommands: {
    run: containerWrapper('one of its containers'),
    exec: containerWrapper('a container'),
    create: containerWrapper('a container'),
    compose: {
      options: { text: '-f --file -p --project-name --profile --env-file --project-directory' },
      subcommands: { run: containerWrapper('a container'), exec: containerWrapper('a container') },
    },
    ...Object.fromEntries(
      'ps images version info inspect logs top port stats diff history search'.split(' ').map(name => [name, looksAt]),
    ),
  },
}

function containerWrapper(place: string): Program {
  return wrapper({
    options: containerOptions,
    skip: 1,
    elsewhere: true,
    inspect(call, found) {
      if (call.has('--privileged')) ask(found, `${place} gets all rights of the machine`)
      for (const entry of optionValues(call, '--entrypoint')) found.commands.push([entry])
    },
  })
}

const packageRunner: Program = wrapper({
  options: {
    flag: '-y --yes --no --no-install -q --quiet --silent --bun -s --ignore-existing --prefer-offline --offline --isolated --verbose -v',
    text: '-p --package --from --with --python -w --workspace --registry --cache --index-url',
    script: '-c --call',
  },
  inspect(call, found) {
    const first = soleValue(call.operands[0])
    if (first !== undefined) found.denyPatterns.push(call.operands.map(arg => withoutVersion(arg)).join(' '))
  },
})

function withoutVersion(arg: Arg): string {
  return arg.text.replace(/(?<=.)@[^/@]*$/, '')
}

const xargs = wrapper({
  options: {
    flag: '-0 --null -r --no-run-if-empty -t --verbose -p --interactive -o --open-tty -x --exit --show-limits -e --eof -l --max-lines -i --replace',
    text: '-n --max-args -P --max-procs -s --max-chars -d --delimiter -E -L -I -J -R -S --process-slot-var',
    read: '-a --arg-file',
  },
  transparent: true,
})

/** What xargs appends is what its input says. */
const xargsProgram: Program = {
  ...xargs,
  inspect(call, found) {
    const named = optionValues(call, '-I --replace -J').map(arg => arg.text)
    const replaced = named.length === 0 && call.has('-i --replace') ? ['{}'] : named
    const given = call.operands.length > 0 ? call.operands : [literalArg('echo')]
    const isListing = call.stdin.kind === 'pipe' && call.stdin.isListing && !call.has('-a --arg-file')
    const filled = replaced.length > 0 ? given.map(arg => fillPlace(arg, replaced, isListing)) : given
    const appended = {
      ...(isListing ? listed : unknownArg('', 'what xargs appends is not known beforehand')),
      isHidden: true,
    }
    const inner = replaced.length > 0 ? filled : [...given, appended]
    xargs.inspect?.({ ...call, operands: inner }, found)
  },
}

/** A path that a listing of the workspace printed. */
const listed = literalArg('./listed')

function fillPlace(arg: Arg, places: readonly string[], isListing: boolean): Arg {
  const place = places.find(text => arg.text.includes(text))
  if (place === undefined) return arg
  if (isListing && arg.text === place) return { ...listed, text: arg.text }
  return unknownArg(
    arg.text,
    'what xargs puts there is not known beforehand',
    arg.text.slice(0, arg.text.indexOf(place)),
  )
}

const parallel: Program = {
  optionsFirst: true,
  operands: ['text'],
  inspect(call, found) {
    const marks = call.args.findIndex(arg => /^:{3,4}\+?$/.test(arg.text))
    const template = call.operands.slice(
      0,
      marks === -1 ? undefined : Math.max(0, call.operands.length - (call.args.length - marks)),
    )
    ask(found, 'parallel puts command lines together from its input')
    if (template.length > 0) found.commands.push(template)
  },
}

/** su takes its options before and after the name of the user. */
const switchUser: Program = {
  options: {
    flag: '- -l --login -m -p --preserve-environment -f --fast',
    text: '-u --user -g --group -G --supp-group -s --shell -w --whitelist-environment',
    script: '-c --command --session-command',
  },
  operands: ['text'],
  inspect: (_, found) => ask(found, privileged),
}

const time = wrapper({
  options: { flag: '-p --portability -v --verbose -a --append -q --quiet', text: '-f --format', write: '-o --output' },
  transparent: true,
})

/** Programs that run the command in their words. */
export const wrapperPrograms: Readonly<Record<string, Program>> = {
  sudo: wrapper({
    options: {
      flag: '-n -E --preserve-env -H --set-home -k -K -v -b --background -i --login -s --shell -S --stdin -A -l -V --non-interactive --reset-timestamp',
      text: '-u --user -g --group -p --prompt -C --close-from -r --role -t --type -T --command-timeout -h --host -U --other-user -D --chdir -R --chroot',
      ask: '-e --edit',
    },
    assigns: true,
    reason: privileged,
  }),
  doas: wrapper({ options: { flag: '-n -L -s', text: '-u -a', read: '-C' }, reason: privileged }),
  su: switchUser,
  runuser: switchUser,
  pkexec: wrapper({ options: { text: '--user' }, reason: privileged }),
  env: wrapper({
    options: {
      flag: '-i --ignore-environment -0 --null -v --debug - --default-signal --ignore-signal --block-signal --list-signal-handling',
      text: '-u --unset',
      read: '-C --chdir',
      script: '-S --split-string',
    },
    assigns: true,
    inspect(call, found) {
      const unset = optionValues(call, '-u --unset').map(arg => arg.text)
      if (unset.some(name => name === 'PATH' || name === 'HOME'))
        ask(found, 'it takes away a variable that decides what runs')
      if (call.has('-C --chdir')) ask(found, 'it starts the command in another folder')
      if (call.has('-S --split-string') && call.operands.length > 0) ask(found, 'env -S puts a command line together')
    },
    transparent: true,
  }),
  timeout: wrapper({
    options: { flag: '-f --foreground -p --preserve-status -v --verbose', text: '-s --signal -k --kill-after' },
    skip: 1,
    transparent: true,
  }),
  gtimeout: wrapper({
    options: { flag: '--foreground --preserve-status -v --verbose', text: '-s --signal -k --kill-after' },
    skip: 1,
    transparent: true,
  }),
  nohup: wrapper({}),
  nice: wrapper({ options: { text: '-n --adjustment', flag: '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9' }, transparent: true }),
  ionice: wrapper({
    options: { flag: '-t --ignore', text: '-c --class -n --classdata -p --pid -P -u' },
    transparent: true,
  }),
  chrt: wrapper({ options: { flag: '-b -f -i -o -r -a -R', text: '-T -P -D' }, skip: 1 }),
  taskset: wrapper({ options: { flag: '-a --all-tasks -c --cpu-list' }, skip: 1 }),
  numactl: wrapper({ options: { text: '-N -m -C -p -i' } }),
  stdbuf: wrapper({ options: { text: '-i --input -o --output -e --error' }, transparent: true }),
  unbuffer: wrapper({ options: { flag: '-p' } }),
  setsid: wrapper({ options: { flag: '-c --ctty -f --fork -w --wait' } }),
  time,
  strace: wrapper({
    options: {
      flag: '-f -ff -c -C -q -qq -v -y -yy -r -t -tt -T -x -xx -i -n -k -w',
      text: '-e -s -p -E -a -b -I -O -S -u -P -X',
      write: '-o',
    },
  }),
  ltrace: wrapper({ options: { flag: '-f -c -S -C -i -r -t -tt -T', text: '-e -s -p -n -u -a', write: '-o' } }),
  xargs: xargsProgram,
  parallel,
  sem: parallel,
  watch: wrapper({
    options: {
      flag: '-d --differences -b --beep -c --color -C --no-color -e --errexit -g --chgexit -p --precise -t --no-title -w --no-wrap -x --exec',
      text: '-n --interval -q --equexit',
    },
    shellText: true,
  }),
  script: {
    options: {
      script: '-c --command',
      flag: '-a --append -e --return -f --flush -q --quiet -t --timing',
      text: '-E --echo -o --output-limit',
      write: '-I --log-in -O --log-out -B --log-io -T --log-timing',
    },
    operands: ['write'],
    inspect: (call, found) => {
      if (!call.has('-c --command')) ask(found, 'script starts a shell that reads its input')
    },
  },
  chroot: wrapper({
    options: { text: '--userspec --groups', flag: '--skip-chdir' },
    skip: 1,
    elsewhere: true,
    reason: 'it runs under another root folder',
  }),
  unshare: wrapper({
    options: {
      flag: '-m --mount -u --uts -i --ipc -n --net -p --pid -U --user -C --cgroup -T --time -f --fork -r --map-root-user -c --map-current-user --mount-proc --kill-child --keep-caps',
      text: '-S --setuid -G --setgid --propagation --map-user --map-group',
      write: '-R --root -w --wd',
    },
  }),
  nsenter: wrapper({
    options: { flag: '-a -m -u -i -n -p -U -C -T -F -r --root -w --wd', text: '-t --target -S -G' },
    reason: 'it enters the namespaces of another process',
    elsewhere: true,
  }),
  flock: {
    options: {
      flag: '-s --shared -x --exclusive -e -n --nonblock -u --unlock -o --close -F --no-fork -v --verbose',
      text: '-w --timeout -E --conflict-exit-code',
      script: '-c --command',
    },
    optionsFirst: true,
    operands: ['write', 'text'],
    inspect: addFlockCommand,
  },
  setarch: wrapper({ options: { flag: '-R -v -3 -B -F -I -L -S -T -X -Z' }, skip: 1 }),
  setpriv: wrapper({}),
  'systemd-run': wrapper({
    options: {
      flag: '--user --scope --wait --pty -t -P --pipe -q --quiet --collect -G',
      text: '-p --property -u --unit -E --setenv --slice --uid --gid',
    },
  }),
  'dbus-run-session': wrapper({}),
  'xvfb-run': wrapper({ options: { flag: '-a --auto-servernum', text: '-n -s --server-args -e -f' } }),
  firejail: wrapper({}),
  proot: wrapper({}),
  fakeroot: wrapper({ options: { flag: '-u' } }),
  faketime: wrapper({ skip: 1, options: { flag: '-f -m' } }),
  direnv: { subcommands: { exec: wrapper({ skip: 1 }) } },
  dotenv: wrapper({ options: { read: '-f -e' } }),
  'dotenv-cli': wrapper({}),
  'cross-env': wrapper({ assigns: true }),
  caffeinate: wrapper({ options: { flag: '-d -i -m -s -u', text: '-t -w' } }),
  hyperfine: { operands: ['text'], inspect: (call, found) => found.scripts.push(...call.operands) },
  entr: wrapper({ options: { flag: '-a -c -d -n -p -r -s -x -z' } }),
  watchexec: wrapper({}),
  nodemon: wrapper({}),
  busybox: wrapper({ transparent: true }),
  toybox: wrapper({ transparent: true }),
  ssh: wrapper({
    options: {
      flag: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
      text: '-b -c -D -e -I -i -J -L -l -m -O -p -Q -R -W -w',
      ask: '-o -F -E -S',
    },
    skip: 1,
    shellText: true,
    elsewhere: true,
  }),
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': { subcommands: { run: containerWrapper('a container'), exec: containerWrapper('a container') } },
  kubectl: {
    subcommands: {
      exec: {
        options: { flag: '-i -t -q', text: '-n --namespace -c --container' },
        inspect: (call, found) => {
          found.elsewhere = true
          const marks = call.args.findIndex(arg => arg.text === '--')
          found.commands.push(
            call.args.slice(marks === -1 ? call.args.findIndex(arg => !arg.text.startsWith('-')) + 1 : marks + 1),
          )
        },
      },
    },
  },
  npx: packageRunner,
  bunx: packageRunner,
  pnpx: packageRunner,
  uvx: packageRunner,
  pipx: { subcommands: { run: packageRunner } },
  bun: {
    options: { ask: '-e --eval -p --print -r --preload --import' },
    operands: ['any'],
    subcommands: { x: packageRunner },
  },
  pnpm: { subcommands: { dlx: packageRunner, exec: wrapper({ options: { flag: '-r --recursive' } }) } },
  yarn: { subcommands: { dlx: packageRunner, exec: wrapper({}) } },
  npm: { subcommands: { exec: packageRunner, x: packageRunner } },
  uv: {
    subcommands: {
      run: wrapper({
        options: {
          flag: '-q --quiet --no-project --isolated --locked --frozen --no-sync',
          text: '--with --python -p --extra --group --package --directory --project',
          read: '--env-file --with-requirements',
          ask: '-m --module -s --script',
        },
      }),
    },
  },
  poetry: { subcommands: { run: wrapper({}) } },
  pdm: { subcommands: { run: wrapper({ options: { read: '-p --project' } }) } },
  hatch: { options: { text: '-e --env -p --project' }, subcommands: { run: wrapper({}) } },
  rye: { subcommands: { run: wrapper({}) } },
  conda: { subcommands: { run: wrapper({ options: { text: '-n --name', read: '-p --prefix --cwd' } }) } },
  mamba: { subcommands: { run: wrapper({ options: { text: '-n --name', read: '-p --prefix --cwd' } }) } },
  tox: { subcommands: { exec: { inspect: addAfterMarks } } },
  asdf: { subcommands: { exec: wrapper({}) } },
  rlwrap: wrapper({ options: { flag: '-a -c -n -i -r', text: '-A -b -C -f -H -p -s' } }),
  perf: {
    subcommands: {
      stat: wrapper({ options: { flag: '-a -d -v', text: '-e -r -x -p', write: '-o' } }),
      record: wrapper({ options: { flag: '-a -g -v', text: '-e -F -p --call-graph', write: '-o' } }),
      trace: wrapper({ options: { text: '-e', write: '-o' } }),
    },
  },
  valgrind: wrapper({}),
  concurrently: { options: { text: '-n --names -c --prefix-colors -p --prefix' }, inspect: addTexts },
  ip: {
    subcommands: { netns: { subcommands: { exec: wrapper({ skip: 1, reason: 'it runs in another network' }) } } },
  },
  vagrant: {
    subcommands: {
      ssh: {
        options: { script: '-c --command' },
        inspect: (_, found) => {
          found.elsewhere = true
        },
      },
    },
  },
  lxc: { subcommands: { exec: { inspect: addAfterMarks } } },
  'docker-machine': { subcommands: { ssh: wrapper({ skip: 1, shellText: true, elsewhere: true }) } },
  'aws-vault': { subcommands: { exec: { inspect: addAfterMarks } } },
  op: { subcommands: { run: { inspect: addAfterMarks } } },
  doppler: { subcommands: { run: { options: { script: '--command' }, inspect: addAfterMarks } } },
  pipenv: { subcommands: { run: wrapper({}) } },
  bundle: { subcommands: { exec: wrapper({}) } },
  mise: { subcommands: { exec: wrapper({}), x: wrapper({}) } },
  nix: { inspect: askAboutNix },
  'nix-shell': { options: { script: '--run --command' }, inspect: askAboutNix },
  gdb: { inspect: (_, found) => ask(found, 'a debugger can run anything') },
}

// `tool exec … -- command`.
function addAfterMarks(call: Call, found: Findings): void {
  const marks = call.args.findIndex(arg => arg.text === '--')
  if (marks !== -1) found.commands.push(call.args.slice(marks + 1))
}

// Each operand is a command line.
function addTexts(call: Call, found: Findings): void {
  found.scripts.push(...call.operands)
}

function addFlockCommand(call: Call, found: Findings): void {
  const inner = call.operands.slice(1)
  const flag = soleValue(inner[0])
  if (flag === '-c' || flag === '--command') found.scripts.push(inner[1] ?? literalArg(''))
  else if (inner.length > 0) found.commands.push(inner)
}

function askAboutNix(call: Call, found: Findings): void {
  ask(found, `${call.name} fetches or builds programs and may run them`)
  const marks = call.args.findIndex(arg => ['--command', '-c', '--run'].includes(arg.text))
  if (marks !== -1) found.scripts.push(joinScript(call.args.slice(marks + 1)))
}

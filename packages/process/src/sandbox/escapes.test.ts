// What a command in the sandbox tries, and what must be true outside afterwards. Each is tried as root, where nothing
// but the sandbox stands in the way, and as an ordinary user.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSandbox } from './find-sandbox.ts'
import { createSandboxWorld, type SandboxWorld, secretWord } from './fixtures/sandbox-world.ts'

const state = await findSandbox({ platform: process.platform, temporaryDirectory: tmpdir() })
const skip = state.kind === 'none' && state.reason

/** A title, and what is tried: one command, or several one after the other. */
type Attempt = readonly [title: string, ...commands: string[]]

const inPython = (code: string) => `python3 -c '${code}'`

const writes: readonly Attempt[] = [
  ['writes by an absolute path', 'echo x > "$OUT/file"; echo x > "$OUT/new"'],
  ['writes by ..', 'echo x > ../outside/file'],
  ['writes by a symlink', 'ln -s "$OUT" link; echo x > link/file; ln -s "$OUT/file" l2; echo x > l2'],
  ['writes by /proc/self/root', 'echo x > "/proc/self/root$OUT/file"'],
  ['writes by /proc/self/cwd', 'echo x > /proc/self/cwd/../outside/file'],
  ['writes by the root of any process', 'for p in /proc/[0-9]*; do echo x > "$p/root$OUT/file"; done'],
  ['writes by an open descriptor of a folder', 'exec 9< "$OUT"; echo x > /proc/self/fd/9/file'],
  ['writes by opening a read descriptor anew', 'exec 9< "$OUT/file"; echo x > /proc/self/fd/9'],
  ['makes a hard link to a file outside', 'ln "$OUT/file" hard && echo x > hard'],
  ['moves a file in', 'mv "$OUT/file" here'],
  ['moves a folder in', 'mv "$OUT/folder" here'],
  ['moves a file out', 'echo x > f; mv -f f "$OUT/file"'],
  ['removes', 'rm -rf "$OUT"'],
  ['changes mode, owner and times', 'chmod 777 "$OUT/file"; touch -d 2001-01-01 "$OUT/file"; chown 1 "$OUT/file"'],
  [
    'truncates',
    'truncate -s 0 "$OUT/file"; : > "$OUT/file"; dd if=/dev/null of="$OUT/file"; sed -i s/a/b/ "$OUT/file"',
  ],
  [
    'links an unnamed file out',
    inPython(
      'import os; f=os.open(".", os.O_TMPFILE|os.O_RDWR); os.link(f"/proc/self/fd/{f}", os.environ["OUT"]+"/new")',
    ),
  ],
  [
    'opens by file handle',
    inPython(
      'import ctypes,os; l=ctypes.CDLL(None,use_errno=True); h=ctypes.create_string_buffer(b"\\x08\\0\\0\\0\\x01\\0\\0\\0"+b"\\x02"+b"\\0"*7); print(l.open_by_handle_at(-100,h,2))',
    ),
  ],
]

const mounts: readonly Attempt[] = [
  ['mounts the root writable', 'mount -o remount,rw /; mount -o remount,bind,rw /; echo x > "$OUT/file"'],
  ['mounts over', 'mount --bind . "$OUT"; mount -t tmpfs none "$OUT"; echo x > "$OUT/file"'],
  ['unmounts what protects', 'umount -l .git/hooks; umount -l /; echo x > .git/hooks/pre-commit'],
  [
    'becomes root in a user namespace and mounts',
    `unshare -Urm sh -c 'mount -o remount,rw /; mount -o remount,bind,rw /; umount -l "$PWD/.git/hooks"; echo x > "$OUT/file"; echo x > .git/hooks/pre-commit'`,
  ],
  ['makes a sandbox of its own', 'bwrap --bind / / sh -c \'echo x > "$OUT/file"; echo x > .git/hooks/pre-commit\''],
  [
    'makes an overlay',
    `unshare -Urm sh -c 'mkdir -p u w; mount -t overlay o -o lowerdir=$OUT,upperdir=u,workdir=w $OUT; echo x > $OUT/file'`,
  ],
  [
    'enters the namespaces of the first process',
    'nsenter -t 1 -a sh -c \'echo x > "$OUT/file"\'; nsenter -t 1 -m true && echo entered',
  ],
  ['enters those of a process outside', 'nsenter -t "$NEIGHBOUR_PID" -a sh -c \'echo x > "$OUT/file"\''],
  ['changes the root', 'chroot /proc/1/root sh -c \'echo x > "$OUT/file"\'; chroot / sh -c \'echo x > "$OUT/file"\''],
  ['sees processes by mounting proc anew', `unshare -Urpf --mount-proc cat "/proc/$NEIGHBOUR_PID/environ"`],
  [
    'makes a device',
    'mknod d b 8 0 && dd if=d bs=1 count=1; mknod m c 1 1 && dd if=m bs=1 count=1; ls /dev/mem /dev/kmsg',
  ],
]

const rights: readonly Attempt[] = [
  ['uses a setuid program outside', '"$OUT/../suid-shell" -p -c \'id -u; echo x > "$ROOT_FILE"\''],
  ['uses sudo and su', 'sudo -n sh -c \'echo x > "$OUT/file"\'; su -c "echo x > $OUT/file" < /dev/null; pkexec true'],
  ['makes a setuid program', 'cp /bin/bash s; chmod 4755 s; ./s -p -c \'echo x > "$ROOT_FILE"\''],
  ['holds capabilities', `grep -E "^Cap(Prm|Eff|Bnd|Amb)" /proc/self/status | grep -v 0000000000000000`],
  ['may gain privileges', 'grep -q "NoNewPrivs:.1" /proc/self/status || echo gained'],
]

const processes: readonly Attempt[] = [
  ['kills a process outside', 'kill -9 "$NEIGHBOUR_PID"; pkill -9 -x sleep; killall -9 sleep'],
  ['kills all that it can', 'kill -9 -1'],
  [
    'traces a process outside',
    inPython('import ctypes,os; print(ctypes.CDLL(None).ptrace(16,int(os.environ["NEIGHBOUR_PID"]),0,0))'),
    'strace -p "$NEIGHBOUR_PID" true; gdb -p "$NEIGHBOUR_PID" -batch',
  ],
  ['reads the environment of a process outside', 'cat "/proc/$NEIGHBOUR_PID/environ"; cat /proc/[0-9]*/environ'],
  ['reads the environment of who started it', 'cat "/proc/$PPID/environ"; cat /proc/0/environ'],
  [
    'writes after its call',
    '(sleep 0.2; echo x > "$OUT/file"; touch done) & ',
    'until [ -e done ]; do sleep 0.02; done',
  ],
  [
    'writes as a daemon',
    'setsid -f sh -c \'sleep 0.2; echo x > "$OUT/file"; touch done2\' < /dev/null > /dev/null 2>&1',
    'until [ -e done2 ]; do sleep 0.02; done',
  ],
  ['overwrites a running program', 'echo x > /proc/1/exe; echo x > /proc/self/exe'],
  [
    'has something run later',
    'echo "* * * * * touch $OUT/new" | crontab -; echo "touch $OUT/new" | at now; systemd-run --user touch "$OUT/new"',
  ],
]

const kernel: readonly Attempt[] = [
  [
    'sets kernel parameters',
    'echo deckhand-test > /proc/sys/kernel/hostname; echo deckhand-test > /proc/sys/kernel/core_pattern; echo 7 > /proc/sys/vm/swappiness; echo h > /proc/sysrq-trigger',
  ],
  ['renames the machine', 'hostname evil'],
  [
    'writes to /sys',
    'find /sys/kernel -maxdepth 2 -type f -writable 2>/dev/null | head -3 | while read -r f; do echo 0 > "$f" && echo "wrote $f"; done',
  ],
  ['types into the terminal', inPython('import fcntl,termios; fcntl.ioctl(open("/dev/tty"),termios.TIOCSTI,b"x")')],
]

const guarded: readonly Attempt[] = [
  [
    'replaces a git hook',
    'echo x > .git/hooks/pre-commit; cp src/main.sh .git/hooks/pre-commit.sample; ln -s x .git/hooks/post-commit',
  ],
  [
    'replaces the folder of hooks',
    'rm -rf .git/hooks; mv .git/hooks h2; ln -sfn ../src .git/hooks; mkdir -p .git/hooks && touch .git/hooks/x',
  ],
  [
    'replaces the whole .git',
    'mv .git g2 && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit',
    'echo x > .git/hooks/pre-commit',
  ],
  [
    'changes the settings of git',
    'git config core.hooksPath src; echo "[alias]" >> .git/config; mv .git/config c2; cp src/main.sh .git/config',
  ],
  ['changes the settings of git by a rename', 'cp .git/config n; echo x >> n; mv -f n .git/config'],
  ["changes the user's settings of git", 'git config --global core.hooksPath x; echo x >> ~/.gitconfig'],
  ["changes Deckhand's own settings", 'echo x > deckhand.json; echo x > d; mv -f d deckhand.json; rm -f deckhand.json'],
  ['changes what shells run at their start', 'echo x >> ~/.bashrc; echo x > ~/.profile; echo x > /etc/profile.d/x.sh'],
  ['lets itself in by ssh', 'mkdir -p ~/.ssh; echo key > ~/.ssh/authorized_keys'],
  [
    'has its own programs used for the next start',
    'mkdir -p bin; for p in sh nsenter setpriv bwrap; do printf "#!/bin/bash\\necho x > $OUT/file\\n" > bin/$p; chmod +x bin/$p; done',
    'true',
  ],
]

const secrets: readonly Attempt[] = [
  ['reads a secret', 'cat ~/.ssh/id_ed25519 ~/.netrc .env'],
  [
    'reads a secret by a link',
    'ln -s ~/.ssh/id_ed25519 k; cat k; ln -s ~/.ssh s; cat s/*; ln ~/.netrc n; cat n; ln .env e; cat e',
  ],
  [
    'copies and packs secrets',
    'cp -r ~/.ssh copy; cat copy/*; tar c ~/.ssh ~/.netrc .env; grep -r w0rd ~ . 2>/dev/null',
  ],
  ['moves a masked file away', 'mv .env moved; cat moved; mv ~/.netrc moved; cat moved'],
  [
    'reads a secret by /proc',
    'cat "/proc/self/root$HOME/.netrc" /proc/1/root/$HOME/.netrc; for p in /proc/[0-9]*; do cat "$p/root$HOME/.ssh/id_ed25519"; done',
  ],
  ['makes a masked file readable', 'chmod 644 ~/.netrc .env; chmod 755 ~/.ssh; cat ~/.netrc .env ~/.ssh/*'],
  [
    'unmounts a mask',
    `umount -l ~/.netrc; unshare -Urm sh -c 'umount -l ~/.netrc; umount -l ~/.ssh; cat ~/.netrc ~/.ssh/id_ed25519'`,
  ],
  [
    'reads the /tmp and the shared memory of others',
    'cat /tmp/deckhand-*/secret /var/tmp/deckhand-*/secret /dev/shm/deckhand-secret',
  ],
  [
    'has descriptors that it was not given',
    'for fd in /proc/self/fd/[3-9]; do t=$(readlink "$fd"); case $t in /proc/*|"") ;; *) echo "$fd $t";; esac; done',
  ],
]

const connections: readonly Attempt[] = [
  [
    'connects to this machine',
    'exec 9<>"/dev/tcp/127.0.0.1/$TCP_PORT"; exec 9<>"/dev/tcp/::1/$TCP_PORT"; curl -sm2 "http://localhost:$TCP_PORT"',
  ],
  ['sends a datagram', 'echo x > "/dev/udp/127.0.0.1/$UDP_PORT"'],
  [
    'connects to a unix socket',
    inPython('import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["SOCKET"]); s.send(b"x")'),
  ],
  [
    'connects to a unix socket in /tmp',
    inPython('import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["TMP_SOCKET"]); s.send(b"x")'),
  ],
  [
    'connects to an abstract socket',
    inPython(
      'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect("\\0"+os.environ["ABSTRACT"]); s.send(b"x")',
    ),
  ],
  [
    'reaches the network',
    'exec 9<>/dev/tcp/192.0.2.1/80; getent hosts deckhand.example && echo resolved; ip link add d type dummy && echo added',
  ],
  ['opens a raw socket', inPython('import socket; socket.socket(socket.AF_PACKET,socket.SOCK_RAW); print("opened")')],
]

/** What must not be in the output of any of them, besides the secret. */
const telltale = /^(entered|gained|resolved|added|opened|wrote .*|Cap\w+:.*|.*\/fd\/\d .*)$/m

function readKernel(): string {
  const names = ['kernel/core_pattern', 'kernel/hostname', 'kernel/modprobe', 'kernel/sysrq', 'vm/swappiness']
  const files = names.map(name => `/proc/sys/${name}`).filter(file => existsSync(file))
  return [hostname(), ...files.map(file => readFileSync(file, 'utf8'))].join('\n')
}

const own = process.getuid?.() ?? 0
const users = own === 0 ? [0, 65534] : [own]

for (const uid of users) {
  describe(uid === 0 ? 'as root' : 'as an ordinary user', { skip }, () => {
    let world: SandboxWorld
    const servers: Server[] = []
    const udp = createSocket('udp4')
    let reached = 0
    let environment: Record<string, string>
    let temporary: string

    before(async () => {
      world = await createSandboxWorld(uid)
      temporary = mkdtempSync(join(tmpdir(), 'deckhand-test-'))
      writeFileSync(join(temporary, 'secret'), secretWord)
      chmodSync(temporary, 0o755)
      environment = { ROOT_FILE: world.put('outside/root-file', 'as it was\n') }
      if (own === 0) {
        copyFileSync('/bin/bash', join(world.base, 'suid-shell'))
        chmodSync(join(world.base, 'suid-shell'), 0o4755)
        chownSync(environment.ROOT_FILE ?? '', 0, 0)
      }
      const listen = async (...address: [number, string] | [string]) => {
        const server = createServer(socket => {
          reached++
          socket.destroy()
        })
        servers.push(server)
        // biome-ignore lint/suspicious/noExplicitAny: one of two forms of listen.
        ;(server.listen as any)(...address)
        await once(server, 'listening')
        return server.address()
      }
      const tcp = await listen(0, '127.0.0.1')
      environment.TCP_PORT = `${typeof tcp === 'object' && tcp?.port}`
      environment.SOCKET = join(world.base, 'sockets', 'socket')
      environment.TMP_SOCKET = join(temporary, 'socket')
      environment.ABSTRACT = `deckhand-test-${process.pid}-${uid}`
      await listen(environment.SOCKET)
      await listen(environment.TMP_SOCKET)
      await listen(`\0${environment.ABSTRACT}`)
      for (const path of [environment.SOCKET, environment.TMP_SOCKET]) chmodSync(path, 0o777)
      udp.on('message', () => reached++).bind(0, '127.0.0.1')
      await once(udp, 'listening')
      environment.UDP_PORT = `${udp.address().port}`
    })

    after(async () => {
      for (const server of servers) server.close()
      udp.close()
      rmSync(temporary, { recursive: true, force: true })
      await world[Symbol.asyncDispose]()
    })

    const all = [...writes, ...mounts, ...rights, ...processes, ...kernel, ...guarded, ...secrets, ...connections]
    for (const [title, ...commands] of all) {
      test(`core.sandbox: a command that ${title} changes and learns nothing outside`, async () => {
        const earlier = world.snapshot()
        const settings = readKernel()
        const outputs = await world.run({ commands, environment })
        assert.equal(world.snapshot(), earlier, outputs.join('\n'))
        const text = outputs.join('\n')
        assert.ok(!text.includes(secretWord), text)
        assert.doesNotMatch(text, telltale)
        assert.equal(reached, 0, text)
        assert.equal(readKernel(), settings)
        process.kill(world.neighbour, 0)
      })
    }

    // Without this, the tests above could pass because the attempts are no good.
    test('core.sandbox: the same attempts succeed where no sandbox holds them', async () => {
      const attempt = async (...[, ...commands]: Attempt) =>
        (await world.run({ commands, environment, isFree: true })).join('\n')
      for (const write of [writes[0], writes[2], processes[5], guarded[0], guarded[5]]) {
        const earlier = world.snapshot()
        const output = await attempt(...(write as Attempt))
        assert.notEqual(world.snapshot(), earlier, output)
      }
      assert.ok((await attempt(...(secrets[0] as Attempt))).includes(secretWord))
      for (const connection of connections.slice(0, 5)) {
        const earlier = reached
        await attempt(...connection)
        for (let waits = 0; reached === earlier && waits < 200; waits++) await sleep(10)
        assert.ok(reached > earlier, connection[0])
      }
    })
  })
}

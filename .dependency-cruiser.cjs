// The arrows of docs/architecture.md: which package may import which. Checked by `npm run check`.
const arrows = {
  core: [],
  process: ['core'],
  store: ['core'],
  tools: ['core', 'process'],
  agent: ['core', 'process'],
  cli: ['core', 'process', 'store', 'tools', 'agent'],
}
const names = Object.keys(arrows)

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing, or to a package that package.json does not name.',
      from: {},
      to: { couldNotResolve: true },
    },
    ...names.map(name => ({
      name: `${name}-imports-only-${arrows[name].join('-') || 'nothing'}`,
      severity: 'error',
      comment: `packages/${name} may import ${arrows[name].join(', ') || 'no other package'} (docs/architecture.md).`,
      from: { path: `^packages/${name}/src`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^packages/(${names.filter(other => other !== name && !arrows[name].includes(other)).join('|') || '$^'})/`,
      },
    })),
    {
      name: 'core-has-no-node-imports',
      severity: 'error',
      comment: 'core holds nouns and pure rules; time, files and processes come in as arguments.',
      from: { path: '^packages/core/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'tool-folders-stand-alone',
      severity: 'error',
      comment:
        'No tool folder imports another tool folder; what two need lives in workspace, output, ledger or command.',
      from: { path: '^packages/tools/src/(shell|read|write|edit|glob|grep|todo)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/tools/src/(shell|read|write|edit|glob|grep|todo)/', pathNot: '^packages/tools/src/$1/' },
    },
    {
      name: 'packages-are-entered-by-their-door',
      severity: 'error',
      comment: 'Import another package by its name (@deckhand/core), not by a path into its files.',
      from: { path: '^packages/([^/]+)/src' },
      to: {
        path: '^packages/(?!$1/)[^/]+/src/',
        dependencyTypesNot: ['npm', 'npm-dev', 'aliased-workspace', 'aliased'],
        pathNot: 'src/index\\.ts$',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['deckhand-source', 'import', 'node', 'default'],
    },
  },
}

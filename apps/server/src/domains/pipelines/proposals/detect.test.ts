import { expect, describe, test } from 'vitest'
import { detect } from './detect.ts'
import { manifestsOf } from './tree.ts'

/** A tree with these files; files without a text are empty. */
function treeOf(files: Record<string, string> | string[]) {
  const texts = Array.isArray(files) ? Object.fromEntries(files.map((path) => [path, ''])) : files
  const paths = Object.keys(texts)
  return { files: paths, texts: new Map(manifestsOf(paths).map((path) => [path, texts[path] ?? ''])) }
}
const packageJson = (test: string, more: object = {}) =>
  JSON.stringify({ scripts: { test, build: 'vite build' }, ...more })

/** The first finding of a tree. */
const first = (files: Record<string, string> | string[]) => detect(treeOf(files))[0]

describe('a repository is recognized', () => {
  test.for<[string, Record<string, string> | string[], object]>([
    [
      'Node.js with npm and its own test runner',
      { 'package.json': packageJson('node --test'), 'package-lock.json': '' },
      {
        kind: 'npm',
        because: ['package.json', 'package-lock.json'],
        language: 'JavaScript',
        install: 'npm ci',
        build: 'npm run build',
        tests: 'npm test',
        reports: 'reports/junit.xml',
        artifacts: 'dist',
      },
    ],
    [
      'Node.js with npm and no lock, tested by nothing',
      { 'package.json': packageJson('echo "Error: no test specified" && exit 1') },
      { kind: 'npm', install: 'npm install', tests: '' },
    ],
    ['a package.json that is no JSON', { 'package.json': '{' }, { kind: 'npm', install: 'npm install', tests: '' }],
    [
      'Node.js with pnpm, vitest and coverage',
      {
        'package.json': packageJson('vitest run', {
          packageManager: 'pnpm@9.12.3',
          devDependencies: { '@vitest/coverage-v8': '3' },
        }),
        'pnpm-lock.yaml': '',
        'tsconfig.json': '',
        '.nvmrc': 'v22\n',
      },
      {
        kind: 'pnpm',
        language: 'TypeScript',
        install: 'npx --yes pnpm@9.12.3 install --frozen-lockfile',
        image: { path: /node/, version: '22' },
        reports: 'reports/junit.xml',
        coverage: 'coverage/lcov.info',
      },
    ],
    [
      'Node.js with Yarn 1 and jest',
      {
        'package.json': packageJson('jest', { devDependencies: { 'jest-junit': '16' } }),
        'yarn.lock': '# yarn lockfile v1',
      },
      { kind: 'yarn', install: 'npx --yes yarn@1 install --frozen-lockfile', reports: 'reports/*.xml' },
    ],
    [
      'Node.js with a modern Yarn and mocha',
      { 'package.json': packageJson('mocha', { packageManager: 'yarn@4.5.1' }), 'yarn.lock': '', '.yarnrc.yml': '' },
      { kind: 'yarn', install: 'npx --yes -p @yarnpkg/cli-dist@4.5.1 yarn install --immutable', coverage: undefined },
    ],
    [
      'Node.js whose tests are several commands, whose reports nobody can promise',
      { 'package.json': packageJson('eslint . && jest') },
      { kind: 'npm', tests: 'npm test', reports: undefined, coverage: undefined },
    ],
    [
      'Go',
      { 'go.mod': 'module a\n\ngo 1.22.1\n', 'go.sum': '', 'main.go': '', 'a/a_test.go': '' },
      { kind: 'go', test: 'go test ./...', image: { path: /golang|\bgo\b/, version: '1.22' } },
    ],
    ['Go without tests', { 'go.mod': 'module a' }, { kind: 'go', tests: '', build: 'go build ./...' }],
    [
      'Java with Maven and its wrapper',
      ['pom.xml', 'mvnw', 'src/main/java/A.java', 'src/test/java/ATest.java'],
      {
        kind: 'maven',
        language: 'Java',
        test: 'sh ./mvnw --batch-mode verify',
        reports: '**/target/surefire-reports/TEST-*.xml',
      },
    ],
    [
      'Java with Maven, in modules',
      {
        'pom.xml': '<packaging>pom</packaging><modules>',
        'core/pom.xml': '',
        'core/src/test/java/ATest.java': '',
      },
      { kind: 'maven', because: ['pom.xml'], test: 'mvn --batch-mode verify', artifacts: undefined },
    ],
    [
      'Kotlin with Gradle',
      ['build.gradle.kts', 'settings.gradle.kts', 'gradlew', 'src/main/kotlin/A.kt', 'src/test/kotlin/ATest.kt'],
      {
        kind: 'gradle',
        language: 'Kotlin',
        test: 'sh ./gradlew build',
        reports: '**/build/test-results/**/*.xml',
        artifacts: 'build/libs/*.?ar',
      },
    ],
    [
      'Python with pip and pytest',
      { 'requirements.txt': 'flask\n', 'requirements-dev.txt': 'pytest\npytest-cov\n' },
      {
        kind: 'pip',
        because: ['requirements.txt', 'requirements-dev.txt'],
        tests: 'pytest',
        reports: 'reports/junit.xml',
        coverage: 'coverage.xml',
      },
    ],
    [
      'Python whose list has a name that a shell would read otherwise',
      { 'requirements.txt': 'flask\n', 'requirements;id>x .txt': 'pytest\n', 'requirements-$(id).txt': '' },
      {
        because: ['requirements.txt'],
        install: 'python3 -m venv .venv\n. .venv/bin/activate\npip install -r requirements.txt',
      },
    ],
    [
      'Python with pip and its own test runner',
      ['setup.py', 'tests/test_a.py'],
      { kind: 'pip', tests: 'unittest', reports: undefined },
    ],
    [
      'Python with Django',
      { 'requirements.txt': 'django\npytest\n', 'manage.py': '' },
      { kind: 'pip', tests: 'python manage.py test' },
    ],
    [
      'Python with Poetry',
      { 'pyproject.toml': '[tool.poetry]\nname = "a"\n[tool.poetry.group.dev.dependencies]\npytest = "8"\n' },
      { kind: 'poetry', tests: 'pytest', test: '.poetry/bin/poetry run python -m pytest --junitxml=reports/junit.xml' },
    ],
    [
      'Python with uv',
      {
        'pyproject.toml': '[project]\nname = "a"\n',
        'uv.lock': '',
        'tests/conftest.py': '',
        '.python-version': '3.12\n',
      },
      {
        kind: 'uv',
        because: ['pyproject.toml', 'uv.lock'],
        tests: 'pytest',
        image: { path: /python/, version: '3.12' },
      },
    ],
    [
      'PHP with Composer and PHPUnit, not by the assets beside it',
      { 'composer.json': '{"require-dev":{"phpunit/phpunit":"11"}}', 'package.json': '{}' },
      { kind: 'composer', tests: 'phpunit', reports: 'reports/junit.xml' },
    ],
    ['PHP with Pest', { 'composer.json': '{"require-dev":{"pestphp/pest":"3"}}' }, { kind: 'composer', tests: 'pest' }],
    [
      'Rust',
      { 'Cargo.toml': '[package]\nname = "a"\nrust-version = "1.80"\n', 'Cargo.lock': '', 'src/main.rs': '' },
      { kind: 'cargo', test: 'cargo test --locked', build: 'cargo build --release --locked' },
    ],
    [
      '.NET with tests and their coverage',
      {
        'App.sln': '',
        'src/App/App.csproj': '<TargetFramework>net8.0</TargetFramework>',
        'src/App.Tests/App.Tests.csproj': '<PackageReference Include="coverlet.collector" />',
      },
      { kind: 'dotnet', because: ['App.sln'], coverage: 'reports/**/coverage.cobertura.xml' },
    ],
    ['.NET without tests', { 'App.csproj': '' }, { kind: 'dotnet', tests: '', coverage: undefined }],
    ['static files', ['index.html', 'style.css'], { kind: 'static', artifacts: '**', tests: '' }],
    ['a Dockerfile', ['Dockerfile', 'run.sh'], { kind: 'dockerfile', dockerfile: 'Dockerfile' }],
    ['a Makefile with tests', { Makefile: 'all:\n\ntest: all\n\t./run\n' }, { kind: 'plain', test: 'make test' }],
    ['nothing that is known', ['README.md'], { kind: 'plain', because: [], tests: '' }],
    ['nothing at all', [], { kind: 'plain' }],
  ])('as %s', ([, files, expected]) => {
    const found: Record<string, unknown> = { ...first(files) }
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]]))).toEqual(expected)
  })
})

describe('several findings', () => {
  const kinds = (files: Record<string, string> | string[]) =>
    detect(treeOf(files)).map(({ kind, folder }) => (folder === '' ? kind : `${kind} ${folder}`))

  test.for<[string, Record<string, string> | string[], string[]]>([
    ['a language and its Dockerfile', ['go.mod', 'Dockerfile'], ['go', 'dockerfile', 'plain']],
    [
      'a monorepo of several languages, the nearest to the root first',
      ['services/shop/go.mod', 'web/package.json', 'services/quay/pyproject.toml', 'services/quay/Dockerfile'],
      ['npm web', 'pip services/quay', 'dockerfile services/quay', 'go services/shop', 'plain'],
    ],
    [
      'workspaces are parts of their root',
      { 'package.json': '{"workspaces":["packages/*"]}', 'packages/a/package.json': '', 'tools/go.mod': '' },
      ['npm', 'go tools', 'plain'],
    ],
    [
      'a root that is no workspace stands beside its folders',
      ['package.json', 'app/package.json'],
      ['npm', 'npm app', 'plain'],
    ],
    ['pages inside a project are its own matter', ['package.json', 'public/index.html'], ['npm', 'plain']],
    [
      'code of others, examples and hidden folders',
      ['node_modules/a/package.json', 'vendor/b/go.mod', 'examples/c/pom.xml', '.ci/package.json', 'a/b/c/d/go.mod'],
      ['plain'],
    ],
    [
      'folders that a shell would read otherwise',
      ['$(id)/go.mod', "it's/go.mod", 'a b/go.mod', 'ok/go.mod'],
      ['go ok', 'plain'],
    ],
  ])('%s', ([, files, expected]) => {
    expect(kinds(files)).toEqual(expected)
  })

  test('are limited to a dozen, and always include a plain script', () => {
    const many = kinds(Array.from({ length: 40 }, (_, at) => `s${at}/go.mod`))
    expect([many.length, many.at(-1)]).toEqual([12, 'plain'])
  })

  test('an image is proposed for the folder of its Dockerfile', () => {
    const found = detect(treeOf(['package.json', 'api/go.mod', 'api/Dockerfile']))
    expect(found.map(({ kind, dockerfile }) => [kind, dockerfile])).toEqual([
      ['npm', undefined],
      ['go', 'Dockerfile'],
      ['dockerfile', 'Dockerfile'],
      ['plain', undefined],
    ])
  })
})

test('the manifests nearest to the root are read first', () => {
  expect(
    manifestsOf(['a/b/package.json', 'README.md', 'a/go.mod', 'package.json', 'node_modules/x/package.json']),
  ).toEqual(['package.json', 'a/go.mod', 'a/b/package.json'])
})

test('a tree of tens of thousands of projects is scanned as fast as one of a dozen', () => {
  const tree = treeOf(Array.from({ length: 20_000 }, (_, at) => `s${at}/go.mod`))
  const begun = performance.now()
  expect(detect(tree)).toHaveLength(12)
  expect(performance.now() - begun).toBeLessThan(1500)
})

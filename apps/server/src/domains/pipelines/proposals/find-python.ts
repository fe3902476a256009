import { type Finder, reportFile, versionIn } from './finding.ts'
import { type Folder, requirements } from './tree.ts'

/** The text of all its manifests. */
const requirementsText = (folder: Folder): string =>
  ['pyproject.toml', 'setup.cfg', ...folder.named(requirements)].map(folder.text).join('\n')

interface Tests {
  /** The command that runs the tests. */
  command: string
  /** A package to install first, because no manifest names it. */
  wants?: string
  isPytest: boolean
}

function testsOf(folder: Folder, text: string): Tests | undefined {
  if (folder.has('manage.py')) return { command: 'python manage.py test', isPytest: false }
  const named = /\bpytest\b/.test(text)
  if (named || folder.has('pytest.ini') || folder.holds(/(^|\/)conftest\.py$/))
    return { command: 'python -m pytest', isPytest: true, ...(named ? {} : { wants: 'pytest' }) }
  if (folder.holds(/(^|\/)test[^/]*\.py$/)) return { command: 'python -m unittest', isPytest: false }
  return undefined
}

/** A virtual environment in the folder: system installations refuse packages, and images have none activated. */
const environment = 'python3 -m venv .venv\n. .venv/bin/activate\n'
const active = '. .venv/bin/activate\n'

interface Installed {
  kind: 'uv' | 'poetry' | 'pip'
  because: string[]
  install: string
  /** Goes before the test command. */
  before: string
  run: string
}

function installed(folder: Folder, text: string): Installed | undefined {
  const project = folder.has('pyproject.toml') ? ['pyproject.toml'] : []
  // in a separate environment, so that the tool's packages and the project's never conflict
  const withTool = (tool: string) => `python3 -m venv .${tool}\n.${tool}/bin/pip install --quiet ${tool}\n`
  if (folder.has('uv.lock') || /^\[tool\.uv\]/m.test(text)) {
    const isLocked = folder.has('uv.lock')
    return {
      kind: 'uv',
      because: [...project, ...(isLocked ? ['uv.lock'] : [])],
      install: `${withTool('uv')}.uv/bin/uv sync${isLocked ? ' --frozen' : ''}`,
      before: '',
      run: '.uv/bin/uv run ',
    }
  }
  if (folder.has('poetry.lock') || /^\[tool\.poetry\]/m.test(text))
    return {
      kind: 'poetry',
      because: [...project, ...(folder.has('poetry.lock') ? ['poetry.lock'] : [])],
      install: `${withTool('poetry')}.poetry/bin/poetry install --no-interaction`,
      before: '',
      run: '.poetry/bin/poetry run ',
    }
  const lists = folder.named(requirements)
  const isPackage = project.length > 0 || folder.has('setup.py') || folder.has('setup.cfg')
  if (lists.length === 0 && !isPackage) return undefined
  const wanted = [...lists.map((list) => `-r ${list}`), ...(isPackage && lists.length === 0 ? ['.'] : [])]
  return {
    kind: 'pip',
    because: [...project, ...(folder.has('setup.py') ? ['setup.py'] : []), ...lists],
    install: `${environment}pip install ${wanted.join(' ')}`,
    before: active,
    run: '',
  }
}

export const findPython: Finder = (folder) => {
  const text = requirementsText(folder)
  const way = installed(folder, text)
  if (!way) return undefined
  const tests = testsOf(folder, text)
  const covered = tests?.isPytest === true && /\bpytest-cov\b/.test(text)
  const report = tests?.isPytest
    ? ` --junitxml=${reportFile}${covered ? ' --cov --cov-report=xml:coverage.xml' : ''}`
    : ''
  const more = tests?.wants !== undefined && way.kind === 'pip' ? `\npip install ${tests.wants}` : ''
  return {
    kind: way.kind,
    because: way.because,
    language: 'Python',
    image: { path: /python/, version: versionIn(folder.text('.python-version')) },
    install: way.install + more,
    ...(tests
      ? { test: `${way.before}${way.run}${tests.command}${report}`, tests: tests.command.replace('python -m ', '') }
      : { tests: '' }),
    ...(tests?.isPytest && { reports: reportFile }),
    ...(covered && { coverage: 'coverage.xml' }),
    whole: /^\[tool\.uv\.workspace\]/m.test(text),
  }
}

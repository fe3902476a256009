import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { TestModule } from 'vitest/node'

/** The result of one test file. */
export interface FileReport {
  /** Relative to the root of the repository. */
  file: string
  passed: number
  failed: number
  skipped: number
  /** Errors of its tests, of its hooks, or of the file itself, which then ran no test. */
  errors: { test: string; message: string }[]
}

/** The result of a suite, passed to the gate as JSON in the file that GANTRY_REPORT names. */
export interface SuiteReport {
  files: FileReport[]
  /** Errors that belong to no file: with any of them the suite has crashed, whatever its tests report. */
  crashes: string[]
}

/** A vitest reporter that writes a SuiteReport for the gate, if the gate requests one. */
class GateReport {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const target = process.env['GANTRY_REPORT']
    if (target === undefined) return
    const reports = modules.map(reportOf)
    const crashes: string[] = []
    for (const error of unhandled) {
      // an error that no test caught is attributed to the file during which it was thrown, if known
      const path: unknown = error['VITEST_TEST_PATH']
      const of = typeof path === 'string' ? reports.find(({ file }) => file === relative('.', path)) : undefined
      if (of) of.errors.push({ test: 'an error that no test caught', message: text(error) })
      else crashes.push(text(error))
    }
    writeFileSync(target, JSON.stringify({ files: reports, crashes } satisfies SuiteReport))
  }
}

const text = ({ message, stack }: { message: string; stack?: string | undefined }): string =>
  stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`

function reportOf(module: TestModule): FileReport {
  const tests = [...module.children.allTests()]
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length
  const ofTests = tests.flatMap((test) =>
    (test.result().errors ?? []).map((error) => ({ test: test.fullName, message: text(error) })),
  )
  const ofSuites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => ({ test: suite.fullName, message: text(error) })),
  )
  const ofFile = module.errors().map((error) => ({ test: 'the file itself', message: text(error) }))
  return {
    file: relative('.', module.moduleId),
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    errors: [...ofFile, ...ofSuites, ...ofTests],
  }
}

// vitest requires the default export
export default GateReport

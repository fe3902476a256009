import type { TestModule } from 'vitest/node'

const mostShown = 20

/** A reporter that says at the end which tests took longest: where time that everybody waits for can be saved. */
class SlowestTests {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({
        ms: test.diagnostic()?.duration ?? 0,
        name: `${test.module.relativeModuleId} > ${test.fullName}`,
      }))
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, mostShown)
    // one test alone is no list
    if (tests.length < mostShown) return
    const lines = tests.map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
    process.stdout.write(`\nThe slowest ${mostShown} tests:\n${lines.join('\n')}\n`)
  }
}

export default SlowestTests

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Adds up the suites' reports. A step that failed without a failed test (a crash, a check) counts as one failure. */
const [folder = '', ...failedSteps] = process.argv.slice(2)

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

const total = { passed: 0, failed: 0, skipped: 0 }
const explained = new Set<string>()
for (const file of existsSync(folder) ? readdirSync(folder) : []) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  total.skipped += report.numPendingTests + report.numTodoTests
  if (report.numFailedTests > 0) explained.add(file.replace('.json', ''))
  console.log(
    `${file.replace('.json', '')}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`,
  )
}
const unexplained = failedSteps.filter((step) => !explained.has(step))
total.failed += unexplained.length
if (failedSteps.length > 0) console.log(`failed: ${failedSteps.join(', ')}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

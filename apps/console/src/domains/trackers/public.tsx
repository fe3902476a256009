export { BuildIssues } from './build-issues.tsx'
export { TapdForm } from './tapd-form.tsx'

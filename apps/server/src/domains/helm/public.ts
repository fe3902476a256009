export { deployChartOfStep } from './releases/step.service.ts'

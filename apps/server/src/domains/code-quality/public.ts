export { analysisResult, beginAnalysis } from './analysis.service.ts'

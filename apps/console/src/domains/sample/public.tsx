export { FirstMinute } from './first-minute.tsx'
export { useSample } from './use-sample.ts'

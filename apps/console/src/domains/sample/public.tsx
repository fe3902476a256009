export { FirstMinute } from './first-minute.tsx'

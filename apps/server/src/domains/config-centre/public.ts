export { isConfiguredAs, mustConfigure, noteConfigured, withConfiguration } from './use.service.ts'

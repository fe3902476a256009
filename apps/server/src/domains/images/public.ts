export { registriesForBuild, registryAccess, registryHost, usableRegistry } from './registries.service.ts'

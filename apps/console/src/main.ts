// Sets the nonce before anything else runs.
import './shell/nonce.ts'
import { config } from 'zod'
import { loadLanguage } from './api/language.ts'
import { reloadForNewCode } from './shell/new-code.ts'
import { start } from './shell/start.tsx'

// Zod compiles schemas with `new Function` if permitted; the content security policy forbids that.
config({ jitless: true })

addEventListener('vite:preloadError', (event) => {
  if (reloadForNewCode()) event.preventDefault()
})

try {
  await loadLanguage()
  await start()
} catch (error) {
  if (!reloadForNewCode()) throw error
}

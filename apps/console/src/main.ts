import './shell/nonce.ts'
import { config } from 'zod'
import { loadLanguage } from './api/language.ts'
import { reloadForNewCode } from './shell/new-code.ts'

// Zod compiles schemas with `new Function` where it may; the content security policy forbids that.
config({ jitless: true })

addEventListener('vite:preloadError', (event) => {
  if (reloadForNewCode()) event.preventDefault()
})

// The rest is imported after the nonce is in force and beside the language, so that the first paint has its words.
try {
  const [{ start }] = await Promise.all([import('./shell/start.tsx'), loadLanguage()])
  await start()
} catch (error) {
  if (!reloadForNewCode()) throw error
}

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles, subsetFonts } from './files.ts'
import { loaderModule, wordsModule } from './words.ts'

/** The server answers these; everything else is the console's own. */
const api = '^/((api|backup-restore|restql|document)/|(?!src/)[a-z-]+/(v\\d+/)?api/|monitor-api/)'

/** Gives the address of a sheet with antd's rules in the place of that of widgets.css. */
const widgetSheet: Plugin = {
  name: 'gantry-widget-sheet',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/ui\/widgets\.css\?url$/ },
    async handler() {
      const source = (await import('./widget-styles.tsx')).widgetStyles().css
      if (this.meta.watchMode)
        return `export default URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/css' }))`
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: 'widgets.css', source })}`
    },
  },
}

const wordsName = /^\0?gantry-words\/(\w+)\/([\w-]+)$/

/** Divides the phrases into what each part of the console says. */
const words: Plugin = {
  name: 'gantry-words',
  apply: 'build',
  resolveId: { filter: { id: wordsName }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: [wordsName, /console\/src\/api\/words\.ts$/] },
    handler: (id) => {
      const [, language, part] = wordsName.exec(id) ?? []
      return language && part ? wordsModule(language, part) : loaderModule()
    },
  },
}

/** Takes only the letters of the fonts that are drawn, and compresses everything. */
const files: Plugin = {
  name: 'gantry-files',
  apply: 'build',
  config: async () => ({ resolve: { alias: await subsetFonts() } }),
  writeBundle: ({ dir }) => compressFiles(dir ?? ''),
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), widgetSheet, words, files],
  // The server writes a fresh nonce in the place of this word, each time that it answers index.html.
  html: { cspNonce: '__GANTRY_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Everything is a file of our own host: the CSP has no data: for fonts and scripts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Beside each screen's own code: a link for each of a hundred small files costs a screen more than it saves.
        codeSplitting: {
          groups: [
            // What the login needs, and every screen.
            {
              name: 'base',
              test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store|query-core|react-query)|zod)\/|packages\/contract\/src\/(auth|oauth|ldap|endpoint|envelope|ids|paging|secret|topic|validators)/,
              priority: 3,
            },
            {
              name: 'login',
              test: /domains\/auth\/(login-(page|form)|frame|harbour|after-login|error-words|auth\.module)/,
              priority: 1,
            },
            {
              name: 'start',
              test: /console\/src\/(api|shell\/(app-route|guard|leave|lost|product|router|scroll-key|shell|start)|domains\/\w+\/routes|routes\.gen|paths\.gen|ui\/(basics|kit|tokens|link|tabs|icon|nonce|route|dark|widgets\.ts|plain-button|feedback\/(toasts|skeleton|illustration)|table\/url-state))/,
              priority: 2,
            },
            { name: 'contract', test: /packages\/contract\//, minShareCount: 10 },
            {
              name: 'kit',
              test: /node_modules\/(antd|@rc-component|@ant-design)\/|console\/src\/ui\/(?!code-mirror|chart-draw|terminal|yaml-editor|log-)/,
              minShareCount: 10,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { [api]: { target: process.env['GANTRY_DEV_SERVER'] ?? 'http://127.0.0.1:8080', ws: true } },
  },
})

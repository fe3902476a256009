import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The server answers these; everything else is the console's own. */
const api = '^/((api|backup-restore|restql|document)/|(?!src/)[a-z-]+/(v\\d+/)?api/|monitor-api/)'

/** Puts antd's rules in the place of widgets.css. */
const widgetSheet: Plugin = {
  name: 'gantry-widget-sheet',
  load: {
    filter: { id: /\/src\/ui\/widgets\.css$/ },
    handler: async () => (await import('./widget-styles.tsx')).widgetStyles().css,
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), widgetSheet],
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

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { readCommandLine } from '../../dist/src/platform/process/commandLine.js'

readCommandLine({
  usage: `npm run pictures
  Starts a demo building of its own, and writes the README's pictures of it into .readme: the status on a phone,
  the office's desk, and a report. Needs Chromium (CHROMIUM says where, else /usr/bin/chromium).`,
})

const root = fileURLToPath(new URL('../../', import.meta.url))
const data = mkdtempSync(path.join(tmpdir(), 'caretaker-pictures-'))
const env = { ...process.env, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'info', DATABASE_URL: '' }
const server = spawn(process.execPath, ['dist/src/server.js'], { cwd: root, env })
const ended = new Promise((resolve) => server.once('exit', resolve))

try {
  const origin = `http://localhost:${await portOf(server)}`
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const phone = await browser.newPage({ viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 })
  await phone.goto(origin)
  await picture(phone, 'status')
  const desk = await browser.newPage({ viewport: { width: 1100, height: 780 }, deviceScaleFactor: 1 })
  await desk.goto(`${origin}/sign-in`)
  await desk.fill('[name=email]', 'manager@example.com')
  await desk.fill('[name=password]', 'caretaker-demo')
  await desk.press('[name=password]', 'Enter')
  await desk.waitForLoadState('networkidle')
  await desk.goto(`${origin}/admin`)
  await picture(desk, 'desk')
  const open = await desk.evaluate(
    async () => (await (await fetch('/api/incidents?status=in_progress')).json())[0].id,
  )
  await desk.goto(`${origin}/incidents/${open}`)
  await picture(desk, 'report')
  await browser.close()
} finally {
  server.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
}

/** In a palette: a tenth of the bytes, and the same to the eye. */
async function picture(page, name) {
  const bytes = await page.screenshot()
  await sharp(bytes)
    .png({ palette: true, colours: 128 })
    .toFile(path.join(root, '.readme', `${name}.png`))
}

function portOf({ stdout, stderr }) {
  return new Promise((resolve, reject) => {
    let printed = ''
    const read = (chunk) => {
      printed += chunk
      const port = /"port":(\d+),"msg":"listening"/.exec(printed)?.[1]
      if (port) resolve(port)
    }
    stdout.on('data', read)
    stderr.on('data', read)
    server.once('exit', () => reject(new Error(printed)))
  })
}

const font = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif`
const cell = 'padding:8px 0;vertical-align:top;text-align:start'
const numeric = 'padding:8px 0 8px 14px;vertical-align:top;text-align:end;white-space:nowrap'

/**
 * Light colours as style attributes, because many mail programs drop style sheets. Dark ones are in
 * the layout's style element.
 */
export const emailStyle = {
  body: `margin:0;padding:0;background:#f6f3ec;color:#1c2429;font-size:16px;line-height:1.5;${font}`,
  preview: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  writeAbove: 'padding:12px 12px 0;text-align:center;color:#566069;font-size:14px',
  frame: 'padding:20px 12px 32px',
  column: `width:100%;max-width:600px;text-align:start;font-size:16px;line-height:1.5;color:#1c2429;${font}`,
  brand: 'padding:0 8px 12px;font-weight:600;color:#566069',
  card: 'padding:26px 24px 28px;background:#fffdf8;border:1px solid #ddd6c8;border-radius:12px',
  foot: 'padding:18px 8px 0;color:#566069;font-size:14px;line-height:1.55',
  footLine: 'margin:0 0 8px',
  footLink: 'color:#566069;text-decoration:underline',
  h1: 'margin:0 0 14px;font-size:24px;line-height:1.25;font-weight:700;letter-spacing:-0.01em',
  h2: 'margin:30px 0 10px;font-size:18px;line-height:1.3;font-weight:700',
  p: 'margin:0 0 14px',
  lead: 'margin:0 0 14px;font-size:18px;line-height:1.45',
  code: 'margin:4px 0 18px;font-size:34px;line-height:1.2;font-weight:700;letter-spacing:0.14em',
  muted: 'color:#566069',
  link: 'color:#17536b;text-decoration:underline',
  quote:
    'margin:4px 0 18px;padding:2px 0 2px 16px;border-inline-start:4px solid #ddd6c8;white-space:pre-line;overflow-wrap:anywhere',
  facts: 'width:100%;border-collapse:collapse;margin:4px 0 8px;font-size:16px',
  term: `${cell};padding-inline-end:16px;color:#566069;font-weight:400;white-space:nowrap;border-top:1px solid #ddd6c8`,
  fact: `${cell};width:100%;border-top:1px solid #ddd6c8;overflow-wrap:anywhere`,
  buttonTable: 'border-collapse:separate;margin:22px 0 0',
  buttonTableBelow: 'border-collapse:separate;margin:12px 0 0',
  buttonCell: 'border-radius:10px;background:#17536b',
  button:
    'display:inline-block;padding:13px 24px;border-radius:10px;background:#17536b;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none',
  table: 'width:100%;border-collapse:collapse;font-size:16px',
  columnHead: `${numeric};color:#566069;font-size:14px;font-weight:400;white-space:normal;vertical-align:bottom`,
  firstHead: `${cell};color:#566069;font-size:14px;font-weight:400;vertical-align:bottom`,
  group: `${cell};font-weight:700;border-top:1px solid #ddd6c8`,
  groupNumber: `${numeric};font-weight:700;border-top:1px solid #ddd6c8`,
  row: `${cell};font-weight:400;padding-top:2px`,
  number: `${numeric};padding-top:2px`,
  without: 'padding:0 0 12px;color:#566069;font-size:14px',
  bar: 'height:6px;border-radius:3px;background:#c93a2e;font-size:0;line-height:0;margin-top:4px',
  tiles: 'width:100%;border-collapse:separate;border-spacing:0;margin:0 0 4px',
  tile: 'width:33%;padding:0 8px 0 0;vertical-align:top;font-weight:400;text-align:start',
  tileNumber: 'display:block;font-size:30px;line-height:1.15;font-weight:700',
  tileBefore: 'display:block;color:#566069;font-size:14px;line-height:1.35',
  list: 'margin:0;padding:0;list-style:none',
  item: 'margin:0;padding:10px 0;border-top:1px solid #ddd6c8',
  pill: {
    neutral: pill('#566069', '#f6f3ec'),
    operational: pill('#2b7248', '#e4f0e6'),
    maintenance: pill('#3f5c9e', '#e8ecf6'),
    degraded: pill('#8f5600', '#faefd8'),
    down: pill('#b02a20', '#fae5e1'),
  },
} as const

function pill(ink: string, paper: string): string {
  return `display:inline-block;margin:0 0 12px;padding:4px 12px;border-radius:8px;font-size:16px;font-weight:600;line-height:1.4;color:${ink};background:${paper}`
}

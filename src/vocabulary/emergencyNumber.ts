/** Zones whose country has another number than the rest of their part of the world. */
const numbersOfZones: Readonly<Record<string, string>> = {
  'America/Bogota': '123',
  'America/Sao_Paulo': '193',
  'Asia/Hong_Kong': '999',
  'Asia/Kuala_Lumpur': '999',
  'Asia/Manila': '911',
  'Asia/Seoul': '119',
  'Asia/Shanghai': '119',
  'Asia/Singapore': '995',
  'Asia/Taipei': '119',
  'Asia/Tokyo': '119',
  'Europe/Belfast': '999',
  'Europe/Guernsey': '999',
  'Europe/Isle_of_Man': '999',
  'Europe/Jersey': '999',
  'Europe/London': '999',
  'Pacific/Auckland': '111',
  'Pacific/Chatham': '111',
  'Pacific/Guam': '911',
  'Pacific/Honolulu': '911',
}

/** What most of a part of the world dials; elsewhere mobile phones understand 112. */
const numbersOfParts: Readonly<Record<string, string>> = {
  America: '911',
  Australia: '000',
  Canada: '911',
  NZ: '111',
  GB: '999',
  US: '911',
}

/**
 * The usual public number for fire and injury where a time zone is. A building whose country has
 * another one sets it.
 */
export function usualEmergencyNumber(zone: string): string {
  const [part = ''] = zone.split('/')
  return numbersOfZones[zone] ?? numbersOfParts[part] ?? '112'
}

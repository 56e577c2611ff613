/** Tests know no zone but UTC, wherever they run: the zone of a hospital is a setting. */
export default function setZone() {
  process.env.TZ = 'UTC';
}

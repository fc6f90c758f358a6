export default function KeysPage() {
  return null;
}

export default function SubdomainsPage() {
  return null;
}

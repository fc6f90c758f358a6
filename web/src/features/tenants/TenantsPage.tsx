export default function TenantsPage() {
  return null;
}

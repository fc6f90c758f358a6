export default function ProjectsPage() {
  return null;
}

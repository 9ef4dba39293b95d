<?php
// Installs WordPress and adds posts. Usage: php wordpress-setup.php FOLDER site.json
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('WP_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('WP_URL'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';
wp_install('Systems test', 'admin', 'admin@site.invalid', true, '', 'a long password of the test');
$site = json_decode(file_get_contents($argv[2]), true);
update_option('permalink_structure', $site['permalinks']);
update_option('timezone_string', 'UTC');
wp_delete_post(1, true);
global $wp_rewrite, $wpdb;
$wp_rewrite->init();
kses_remove_filters();

function find_term($name, $taxonomy) {
  $found = term_exists($name, $taxonomy);
  $term = $found ? $found : wp_insert_term($name, $taxonomy);
  return (int) $term['term_id'];
}

function add_image($number, $name) {
  $folder = wp_upload_dir();
  $file = $folder['path'] . "/$name.jpg";
  $image = imagecreatetruecolor(1600, 800);
  imagefill($image, 0, 0, imagecolorallocate($image, 40 * $number % 255, 90, 120));
  imagejpeg($image, $file, 60);
  $id = wp_insert_attachment(['post_title' => "Photo $number", 'post_mime_type' => 'image/jpeg', 'post_status' => 'inherit'], $file);
  wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file));
  update_post_meta($id, '_wp_attachment_image_alt', "A photo $number");
  return $id;
}

// Pictures, links of plugins and products that texts name by a number.
$marks = ['@site@' => getenv('WP_URL')];
foreach ($site['images'] as $number => $name) {
  $id = add_image($number, $name);
  $marks["@image$number@"] = $id;
  $marks["@upload$number@"] = wp_get_attachment_url($id);
}
foreach ($site['links'] as $link) {
  register_post_type($link['type'], ['public' => true]);
  $id = wp_insert_post(['post_type' => $link['type'], 'post_title' => $link['title'], 'post_status' => 'publish', 'post_author' => 1]);
  foreach ($link['meta'] as $key => $value) update_post_meta($id, $key, $value);
  $marks["@link{$link['number']}@"] = $id;
}

$statuses = ['draft' => 'draft', 'future' => 'future', 'private' => 'private'];
foreach ($site['posts'] as $number => $post) {
  $time = $post['date'] . ' 08:00:00';
  $id = wp_insert_post([
    'post_name' => $post['slug'],
    'post_title' => wp_slash($post['title']),
    'post_type' => $post['type'] ?? 'post',
    'post_parent' => isset($post['parent']) ? get_page_by_path($post['parent'])->ID : 0,
    'post_content' => wp_slash(strtr($post['html'], $marks)),
    'post_excerpt' => $post['excerpt'] ?? '',
    'post_status' => $statuses[$post['status'] ?? ''] ?? 'publish',
    'post_password' => ($post['status'] ?? '') === 'password' ? 'secret' : '',
    'post_date' => $time,
    'post_date_gmt' => $time,
    'post_author' => 1,
    'post_category' => array_map(fn($name) => find_term($name, 'category'), $post['categories'] ?? ['Uncategorized']),
    'tags_input' => $post['tags'] ?? [],
  ], true);
  if (is_wp_error($id)) exit($post['slug'] . ': ' . $id->get_error_message());
  if ($post['hasImage'] ?? false) set_post_thumbnail($id, add_image($number, "photo-of-post-$number"));
  foreach ($post['meta'] ?? [] as $key => $value) {
    $wpdb->insert($wpdb->postmeta, ['post_id' => $id, 'meta_key' => $key, 'meta_value' => strtr($value, $marks)]);
  }
}
// WordPress redirects the former slug of a published post.
$renamed = wp_insert_post(['post_name' => 'former-name', 'post_title' => 'Renamed', 'post_content' => '<p>A post that was renamed after it was published.</p>', 'post_status' => 'publish', 'post_author' => 1]);
wp_update_post(['ID' => $renamed, 'post_name' => 'present-name']);
flush_rewrite_rules(false);
echo count(get_posts(['numberposts' => -1, 'post_status' => 'any'])) . " posts\n";

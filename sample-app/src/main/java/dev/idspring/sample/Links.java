package dev.idspring.sample;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.idspring.IdGenerator;
import dev.idspring.sample.LinkRepository.StoredLink;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Shortens links.
 */
@Service
class Links {

	private static final int MAX_URL_LENGTH = 2048;

	private final IdGenerator ids;

	/** The prefix of all ids. Short links omit it. */
	private final String prefix;

	private final LinkRepository repository;

	Links(IdGenerator linksIdGenerator, @Value("${ids.generators.links.text.prefix}") String prefix,
			LinkRepository repository) {
		this.ids = linksIdGenerator;
		this.prefix = prefix;
		this.repository = repository;
	}

	/**
	 * Shorten several links. Either all links are stored or none.
	 * @param lines absolute HTTP or HTTPS URLs, one per line; blank lines are ignored
	 * @throws InvalidLinkException if a URL is too long, or a line is neither blank nor
	 * such a URL
	 */
	@Transactional
	List<Link> shorten(List<String> lines) {
		List<String> urls = new ArrayList<>(lines.size());
		for (int i = 0; i < lines.size(); i++) {
			String url = lines.get(i).strip();
			if (!url.isEmpty()) {
				verify(url, i + 1);
				urls.add(url);
			}
		}
		Map<Long, String> urlsById = new LinkedHashMap<>();
		List<Link> links = new ArrayList<>(urls.size());
		for (long id : this.ids.nextLongs(urls.size())) {
			String url = urls.get(links.size());
			urlsById.put(id, url);
			links.add(link(id, new StoredLink(url, 0)));
		}
		this.repository.insert(urlsById);
		return links;
	}

	/**
	 * Return the URL of a link and count the click.
	 * @throws IllegalArgumentException if the string cannot be the id of a link
	 */
	Optional<String> follow(String key) {
		long id = parse(key);
		Optional<String> url = this.repository.find(id).map(StoredLink::url);
		url.ifPresent((found) -> this.repository.countClick(id));
		return url;
	}

	/**
	 * Return a link.
	 * @throws IllegalArgumentException if the string cannot be the id of a link
	 */
	Optional<Link> find(String text) {
		long id = parse(text);
		return this.repository.find(id).map((stored) -> link(id, stored));
	}

	private Link link(long id, StoredLink stored) {
		String text = this.ids.format(id);
		return new Link(text, text.substring(this.prefix.length()), stored.url(), stored.clicks());
	}

	private long parse(String text) {
		return this.ids.parse(text.startsWith(this.prefix) ? text : this.prefix + text);
	}

	private static void verify(String url, int line) {
		if (url.length() > MAX_URL_LENGTH) {
			throw new InvalidLinkException(line,
					"The URL has " + url.length() + " characters, but at most " + MAX_URL_LENGTH + " are allowed.");
		}
		try {
			URI uri = new URI(url);
			boolean isWebUrl = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
			if (!isWebUrl || uri.getHost() == null) {
				throw new InvalidLinkException(line, "Only absolute http and https URLs with a host can be shortened.");
			}
		}
		catch (URISyntaxException ex) {
			throw new InvalidLinkException(line,
					"This is not a URL: " + ex.getReason() + " at position " + (ex.getIndex() + 1) + ".");
		}
	}

}

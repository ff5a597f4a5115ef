import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Waits until the sample logs the address of its page, queries the actuator endpoint,
 * stores a link and follows it. Writes the link's key to a file, so that the next run can
 * check that its own key is different.
 */
public class Ask {

	public static void main(String[] args) throws Exception {
		String base = "http://127.0.0.1:" + port(Path.of(args[0]));
		HttpClient client = HttpClient.newHttpClient();

		HttpResponse<String> ids = send(client, HttpRequest.newBuilder(URI.create(base + "/actuator/ids")).GET());
		System.out.println(ids.body());
		check(ids.statusCode() == 200 && ids.body().contains("\"generators\":{\"default\":{"), "the endpoint shows the generators");
		check(ids.body().contains("\"status\":\"UP\""), "the status is UP");

		HttpResponse<String> created = send(client,
				HttpRequest.newBuilder(URI.create(base + "/links"))
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString("{\"url\":\"https://www.apache.org/\"}")));
		System.out.println(created.body());
		Matcher key = Pattern.compile("\"key\":\"([0-9a-zA-Z]{7})\"").matcher(created.body());
		check(created.statusCode() == 201 && key.find(), "the link is stored under a key of seven characters");

		HttpResponse<String> followed = send(client, HttpRequest.newBuilder(URI.create(base + "/" + key.group(1))).GET());
		check(followed.statusCode() == 302 && followed.headers().firstValue("Location").orElse("").equals("https://www.apache.org/"),
				"the short link redirects to the URL");

		Path keys = Path.of("keys.txt");
		check(!Files.exists(keys) || !Files.readString(keys).contains(key.group(1)), "the key is new");
		Files.writeString(keys, key.group(1) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	private static int port(Path log) throws Exception {
		for (int i = 0; i < 600; i++) {
			Matcher port = Pattern.compile("Open http://localhost:(\\d+)/").matcher(Files.readString(log));
			if (port.find()) {
				return Integer.parseInt(port.group(1));
			}
			Thread.sleep(100);
		}
		throw new IllegalStateException("The sample did not start within a minute.");
	}

	private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
		return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static void check(boolean holds, String expected) {
		if (!holds) {
			throw new IllegalStateException("This is not true: " + expected + ".");
		}
	}

}

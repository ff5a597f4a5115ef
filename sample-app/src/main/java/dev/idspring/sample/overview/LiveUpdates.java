package dev.idspring.sample.overview;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.idspring.autoconfigure.actuate.IdsEndpoint;
import dev.idspring.autoconfigure.actuate.IdsEndpoint.IdsDescriptor;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends the data of {@code /actuator/ids} and the rates of the last minute to all viewers
 * of the page every second. The endpoint is called once for all viewers, and not at all
 * if there are none.
 * <p>
 * A viewer that does not read its data blocks the sending thread until the container
 * closes the connection. Each viewer therefore has its own thread while data is being
 * sent to it. The viewer does not get updates that become available in the meantime.
 */
@Component
class LiveUpdates {

	/**
	 * The maximum number of viewers. Each viewer can occupy a thread.
	 */
	static final int MAX_VIEWERS = 50;

	private final IdsEndpoint endpoint;

	private final Rates rates;

	/**
	 * Converts the data to JSON. Spring Boot would write the data of an endpoint only for
	 * clients that accept the actuator's media types.
	 */
	private final JsonMapper json;

	private final Executor executor;

	private final List<Viewer> viewers = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	LiveUpdates(IdsEndpoint endpoint, Rates rates, JsonMapper json, SimpleAsyncTaskExecutorBuilder executor) {
		this.endpoint = endpoint;
		this.rates = rates;
		this.json = json;
		this.executor = executor.threadNamePrefix("live-").build();
	}

	/**
	 * Add a viewer. If there are then too many, disconnect the oldest viewer to which no
	 * data is being sent. If its page is still open, the page reconnects.
	 * @return the emitter of the viewer, or empty if there are too many viewers and data
	 * is being sent to all others
	 */
	Optional<SseEmitter> open() {
		Viewer viewer = new Viewer(new SseEmitter(0L), new AtomicBoolean());
		this.viewers.add(viewer);
		if (this.viewers.size() > MAX_VIEWERS && !disconnectOldestIdle(viewer)) {
			this.viewers.remove(viewer);
			return Optional.empty();
		}
		SseEmitter emitter = viewer.emitter();
		emitter.onCompletion(() -> this.viewers.remove(viewer));
		emitter.onError((ex) -> this.viewers.remove(viewer));
		if (this.closed) {
			emitter.complete();
		}
		return Optional.of(emitter);
	}

	private boolean disconnectOldestIdle(Viewer added) {
		for (Viewer viewer : this.viewers) {
			if (viewer != added && viewer.busy().compareAndSet(false, true)) {
				this.viewers.remove(viewer);
				this.executor.execute(viewer.emitter()::complete);
				return true;
			}
		}
		return false;
	}

	@Scheduled(fixedDelay = 1000)
	void send() {
		Map<String, Rates.IssuedCount> issued = this.rates.measure();
		if (this.viewers.isEmpty()) {
			return;
		}
		String update = this.json.writeValueAsString(new Update(this.endpoint.ids(), issued));
		for (Viewer viewer : this.viewers) {
			if (viewer.busy().compareAndSet(false, true)) {
				this.executor.execute(() -> send(viewer, update));
			}
		}
	}

	private void send(Viewer viewer, String update) {
		try {
			viewer.emitter().send(update, MediaType.APPLICATION_JSON);
		}
		catch (IOException | IllegalStateException ex) {
			// the viewer has disconnected; the container also detects and reports this
			this.viewers.remove(viewer);
		}
		finally {
			viewer.busy().set(false);
		}
	}

	/**
	 * Disconnect all viewers before the web server waits for active requests to end. The
	 * requests of viewers would not end by themselves.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed = true;
		// complete() waits until the current data has been sent to the viewer
		this.viewers.forEach((viewer) -> this.executor.execute(viewer.emitter()::complete));
	}

	/**
	 * The data that is sent every second.
	 *
	 * @param ids the data of the endpoint
	 * @param issued how many ids this instance has issued, by generator name
	 */
	private record Update(IdsDescriptor ids, Map<String, Rates.IssuedCount> issued) {

	}

	/**
	 * A browser that shows the page.
	 *
	 * @param emitter the emitter that sends data to the browser
	 * @param busy whether data is being sent to the browser
	 */
	private record Viewer(SseEmitter emitter, AtomicBoolean busy) {

	}

}

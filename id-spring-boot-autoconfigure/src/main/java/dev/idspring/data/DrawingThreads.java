package dev.idspring.data;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import dev.idspring.IdStoreUnavailableException;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * A thread for each generator that draws ids for those who must not wait, in the order in
 * which they came. It ends when there is nothing to do for a while.
 * <p>
 * It does not have to be many: whoever waits, waits for the same block. And it must not
 * be a pool that others use, which may be full of threads that wait for something that
 * comes after this. When a draw fails, the store has not answered for as long as anybody
 * is to wait for it, or there is nothing more to draw: all who came before that moment
 * are told so at once, rather than to wait as long again, one after the other.
 */
final class DrawingThreads implements AutoCloseable {

	private static final long IDLE_SECONDS = 10;

	private final Map<String, DrawingThread> threads = new ConcurrentHashMap<>();

	private final BiFunction<Runnable, String, Thread> maker;

	private volatile boolean closed;

	DrawingThreads() {
		this(DrawingThreads::thread);
	}

	/**
	 * Create threads. A seam for tests.
	 * @param maker makes a thread for a task, of a name
	 */
	DrawingThreads(BiFunction<Runnable, String, Thread> maker) {
		this.maker = maker;
	}

	private static Thread thread(Runnable task, String name) {
		// no inherited thread locals: they belong to whoever came first
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		thread.setContextClassLoader(DrawingThreads.class.getClassLoader());
		return thread;
	}

	/**
	 * Draw the next id of a property.
	 * @return completes on a thread that must not wait either, and never on the thread
	 * that draws: others wait for that
	 */
	Mono<Object> next(GeneratedProperty property) {
		DrawingThread thread = this.threads.computeIfAbsent(property.generator().name(),
				(generator) -> new DrawingThread(generator, this.maker));
		if (this.closed) {
			// it may have come after the others were closed
			thread.close();
		}
		return Mono.<Object>create((sink) -> thread.add(new Draw(property, sink))).publishOn(Schedulers.parallel());
	}

	@Override
	public void close() {
		this.closed = true;
		this.threads.values().forEach(DrawingThread::close);
	}

	private static final class DrawingThread {

		private final Queue<Draw> waiting = new ConcurrentLinkedQueue<>();

		private final String generator;

		private final ThreadPoolExecutor executor;

		DrawingThread(String generator, BiFunction<Runnable, String, Thread> maker) {
			this.generator = generator;
			this.executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
					(task) -> maker.apply(task, "ids-draw-" + generator));
			this.executor.allowCoreThreadTimeOut(true);
		}

		void add(Draw draw) {
			this.waiting.add(draw);
			try {
				this.executor.execute(this::serveNext);
			}
			catch (RejectedExecutionException ex) {
				failAll(new IllegalStateException("Id generator '" + this.generator + "' is closed.", ex));
			}
			catch (Throwable ex) {
				// one of those who wait has no turn, and it need not be this one
				failAll(new IdStoreUnavailableException(
						"Id generator '" + this.generator + "' has no thread that draws: " + ex, ex));
			}
		}

		private void serveNext() {
			Draw draw = this.waiting.poll();
			// whoever was told of a failure has left a turn behind
			if (draw == null || draw.isCancelled()) {
				return;
			}
			Object id;
			try {
				id = draw.property().next();
			}
			catch (RuntimeException | Error ex) {
				draw.sink().error(ex);
				failAll(ex);
				return;
			}
			draw.sink().success(id);
		}

		private void failAll(Throwable failure) {
			for (int count = this.waiting.size(); count > 0; count--) {
				Draw draw = this.waiting.poll();
				if (draw != null) {
					draw.sink().error(ownOf(failure));
				}
			}
		}

		/**
		 * Return a failure for one who waits: Reactor adds to each where it was noticed.
		 */
		private static Throwable ownOf(Throwable failure) {
			if (failure instanceof IdStoreUnavailableException) {
				return new IdStoreUnavailableException(String.valueOf(failure.getMessage()), failure.getCause());
			}
			return failure;
		}

		void close() {
			this.executor.shutdown();
		}

	}

	/**
	 * A subscriber that waits for an id.
	 */
	private static final class Draw {

		private final GeneratedProperty property;

		private final MonoSink<Object> sink;

		private volatile boolean cancelled;

		Draw(GeneratedProperty property, MonoSink<Object> sink) {
			this.property = property;
			this.sink = sink;
			sink.onCancel(() -> this.cancelled = true);
		}

		GeneratedProperty property() {
			return this.property;
		}

		MonoSink<Object> sink() {
			return this.sink;
		}

		boolean isCancelled() {
			return this.cancelled;
		}

	}

}

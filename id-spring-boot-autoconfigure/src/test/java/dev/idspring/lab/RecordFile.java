package dev.idspring.lab;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a thread was given, call by call. It is in the hands of the operating system
 * before the thread goes on, so that killing the process loses nothing but the last call,
 * of which no user could know either.
 */
final class RecordFile implements AutoCloseable {

	private static final int BYTES = 4 * Long.BYTES;

	/** No channel, which an interrupted thread would close. */
	private final OutputStream file;

	private RecordFile(OutputStream file) {
		this.file = file;
	}

	/**
	 * Begin a file.
	 * @param instance who writes it, different from all others
	 */
	static RecordFile create(Path directory, String instance, LabGenerator generator, int thread) {
		try {
			return new RecordFile(new FileOutputStream(path(directory, instance, generator, thread).toFile()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static Path path(Path directory, String instance, LabGenerator generator, int thread) {
		return directory.resolve(instance + "." + generator.name() + "." + thread + ".ids");
	}

	/**
	 * Return where the last whole entry ends.
	 */
	static long end(long size) {
		return size / BYTES * BYTES;
	}

	/**
	 * Note a call.
	 * @param before the sequence number that was drawn before it
	 * @param after the sequence number that was drawn after it
	 * @param ids what came of it; of an error, one number that says nothing
	 */
	void write(Answer answer, long before, long after, long... ids) {
		ByteBuffer call = ByteBuffer.allocate(ids.length * BYTES);
		for (long id : ids) {
			call.putLong(answer.ordinal()).putLong(before).putLong(after).putLong(id);
		}
		try {
			this.file.write(call.array());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Read what has been added to a file.
	 * @param offset where to begin
	 * @return where to begin the next time
	 */
	static long read(Path file, long offset, Reader reader) {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
			ByteBuffer buffer = ByteBuffer.allocate(1_024 * BYTES);
			long position = offset;
			while (channel.read(buffer, position) >= BYTES) {
				buffer.flip();
				while (buffer.remaining() >= BYTES) {
					reader.read(Answer.values()[(int) buffer.getLong()], buffer.getLong(), buffer.getLong(),
							buffer.getLong());
					position += BYTES;
				}
				buffer.clear();
			}
			return position;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Is told of each id, and of each call that ended otherwise.
	 */
	interface Reader {

		void read(Answer answer, long before, long after, long id);

	}

}

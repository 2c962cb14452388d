//! Mode, owner and extended attributes (access lists among them) of one file given to another. The time of
//! modification is not: sync tools rely on its changing.

use rustix::fd::BorrowedFd;
use rustix::fs::{self, Mode, XattrFlags};
use rustix::io::Errno;
use std::ffi::CStr;
use std::io;

/// The kernel's own limit on a list of names and on a value.
const LIMIT: usize = 65536;

/// Makes `new` carry what `like` carries. An owner or group that may not be given away is an error.
pub fn copy(like: BorrowedFd<'_>, new: BorrowedFd<'_>) -> io::Result<()> {
    let (old, own) = (fs::fstat(like)?, fs::fstat(new)?);
    if old.st_uid != own.st_uid || old.st_gid != own.st_gid {
        let uid = (old.st_uid != own.st_uid).then(|| fs::Uid::from_raw(old.st_uid));
        fs::fchown(new, uid, Some(fs::Gid::from_raw(old.st_gid)))?;
    }
    copy_attributes(like, new)?;
    // Last, since a change of owner clears bits and an access list sets them.
    fs::fchmod(new, Mode::from_raw_mode(old.st_mode & 0o7777))?;
    Ok(())
}

fn copy_attributes(like: BorrowedFd<'_>, new: BorrowedFd<'_>) -> io::Result<()> {
    let names = attribute_names(like)?;
    // A default access list of the staging folder is not one of the note.
    for name in attribute_names(new)?.split_inclusive(|b| *b == 0) {
        if !names.split_inclusive(|b| *b == 0).any(|other| other == name)
            && let Ok(name) = CStr::from_bytes_with_nul(name)
        {
            forgive(fs::fremovexattr(new, name))?;
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let mut value = vec![0; LIMIT];
    for name in names.split_inclusive(|b| *b == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        match fs::fgetxattr(like, name, value.as_mut_slice()) {
            Ok(len) => {
                let value = value.get(..len).unwrap_or_default();
                forgive(fs::fsetxattr(new, name, value, XattrFlags::empty()))?;
            }
            Err(error) => forgive(Err(error))?,
        }
    }
    Ok(())
}

fn attribute_names(file: BorrowedFd<'_>) -> io::Result<Vec<u8>> {
    let len = match fs::flistxattr_query(file) {
        Ok(0) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Vec::new()),
        Ok(_) => LIMIT,
        Err(error) => return Err(error.into()),
    };
    let mut names = vec![0; len];
    let len = fs::flistxattr(file, names.as_mut_slice())?;
    names.truncate(len);
    Ok(names)
}

/// Attributes that only the system may set are its own affair; a full disk is ours.
fn forgive(done: Result<(), Errno>) -> io::Result<()> {
    match done {
        Err(Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NODATA) => Ok(()),
        done => Ok(done?),
    }
}

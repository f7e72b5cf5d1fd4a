# SPDX-License-Identifier: BSD-3-Clause
"""The commands: mpipp, and mpi with its subcommands."""

from .frame_function import FrameFunction, InfoFrameFunction, SelectFrameFunction
from .mpi import Mpi
from .mpi_browse import MpiBrowse
from .mpi_call import MpiCall
from .mpi_buffers import MpiBuffers
from .mpi_collectives import MpiCollectives
from .mpi_communicators import MpiCommunicators
from .mpi_compare import MpiCompare
from .mpi_deadlock import MpiDeadlock
from .mpi_diff import MpiDiff
from .mpi_draw import MpiDraw
from .mpi_element import MpiElement
from .mpi_error import MpiError
from .mpi_errors import MpiErrors
from .mpi_export import MpiExport
from .mpi_files import MpiFiles
from .mpi_groups import MpiGroups
from .mpi_infos import MpiInfos
from .mpi_layout import MpiLayout
from .mpi_locate import MpiLocate
from .mpi_map import MpiMap
from .mpi_match import MpiMatch
from .mpi_message import MpiMessage
from .mpi_messages import MpiMessages
from .mpi_ops import MpiOps
from .mpi_ranks import MpiRanks
from .mpi_requests import MpiRequests
from .mpi_signature import MpiSignature
from .mpi_overlap import MpiOverlap
from .mpi_status import MpiStatus
from .mpi_tree import MpiTree
from .mpi_type import MpiTypeCommand
from .mpi_types import MpiTypes
from .mpi_windows import MpiWindows
from .mpipp import Mpipp
from .set_buffers import SetBuffers, SetMpipp, ShowMpipp
from .set_skip_frames import SetSkipFrames
from .set_stages import SetStages


def install() -> None:
    """Registers the commands; a prefix before the commands below it."""
    for command in (
        FrameFunction,
        SelectFrameFunction,
        InfoFrameFunction,
        SetMpipp,
        ShowMpipp,
        SetBuffers,
        SetSkipFrames,
        SetStages,
        Mpipp,
        Mpi,
        MpiTypes,
        MpiTypeCommand,
        MpiTree,
        MpiDraw,
        MpiBrowse,
        MpiCall,
        MpiMap,
        MpiElement,
        MpiLocate,
        MpiMatch,
        MpiDiff,
        MpiSignature,
        MpiCompare,
        MpiLayout,
        MpiOverlap,
        MpiExport,
        MpiBuffers,
        MpiRequests,
        MpiCommunicators,
        MpiWindows,
        MpiFiles,
        MpiGroups,
        MpiOps,
        MpiInfos,
        MpiRanks,
        MpiDeadlock,
        MpiCollectives,
        MpiMessages,
        MpiMessage,
        MpiErrors,
        MpiError,
        MpiStatus,
    ):
        command()
